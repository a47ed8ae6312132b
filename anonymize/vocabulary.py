"""Closed lists of words that say what a capitalised span is: titles, calendar, peoples, cues of kind.

English mostly, with the commonest titles of other languages. All in lower case, without full stops.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TITLES = _words(
    """mr mrs ms miss mx sir madam madame ma'am dame lord lady dr doctor prof professor captain capt commander cmdr
    colonel col general gen major maj lieutenant lt sergeant sgt corporal private admiral officer detective inspector
    constable superintendent agent nurse sister brother father mother uncle aunt auntie grandpa grandma king queen
    prince princess duke duchess baron baroness count countess president senator governor mayor minister ambassador
    chancellor judge justice reverend rev bishop archbishop cardinal pope rabbi imam master mistress majesty highness
    excellency honour honor chief boss coach mom mum dad mama papa
    herr herrn frau fräulein monsieur mademoiselle señor señora señorita doña signor signora senhor senhora
    господин госпожа капитан доктор профессор"""
)
ABBREVIATIONS = _words("mr mrs ms mx dr prof capt cmdr col gen maj lt sgt rev st jr sr vs etc no")
"""Words whose full stop ends no sentence."""

MONTHS = _words("january february march april may june july august september october november december")
CALENDAR = MONTHS | _words(
    """monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
    sundays spring summer autumn winter christmas easter halloween hanukkah ramadan"""
)
DATE_CUES = _words("in of by since until till this next last early late mid every each through before after during")

PEOPLES = _words(
    """african albanian american arab argentinian armenian asian australian austrian belgian bosnian brazilian british
    briton bulgarian canadian celtic chilean chinese christian colombian croatian cuban cypriot czech dane danish dutch
    dutchman egyptian english englishman englishwoman estonian ethiopian european filipino finn finnish french frenchman
    frenchwoman georgian german greek hebrew hindu hispanic hun hungarian icelandic indian indonesian iranian iraqi
    irish irishman islamic israeli italian jamaican japanese jew jewish kenyan korean latin latino latvian lebanese
    lithuanian maltese mexican mongolian moroccan moslem muslim nazi nepalese nigerian nordic norwegian pakistani
    palestinian persian peruvian pole polish portuguese roman romanian russian scandinavian scot scots scottish serbian
    slavic slovak slovenian soviet spaniard spanish swede swedish swiss syrian taiwanese thai tunisian turk turkish
    ukrainian victorian vietnamese welsh welshman yankee catholic protestant buddhist"""
)
NEVER_NAMES = (
    _words(
        """i god goddess gods lord heaven heavens hell christ jesus allah devil satan ok okay am pm a.m p.m tv dvd cd pc
        usb id ad bc internet web english maths europe asia africa america antarctica
        chapter act scene part book page section"""
    )
    | CALENDAR
    | _words("monsieur majesty majesties highness excellency honour honor messrs esq phd md jr sr")
)
"""Capitalised by convention or in exclamations; naming nobody in the story."""

FUNCTION_WORDS = _words(
    """a an the this that these those it its he she they we you i me him her them us my your his our their mine yours
    who whom whose which what where when why how and or but nor so yet if then than as at by for from in into of off on
    onto out over to up with within without about above after against along among around before behind below beneath
    beside between beyond down during except inside near outside past since through toward towards under until upon is
    am are was were be been being do does did done have has had having will would shall should can could may might must
    not no yes oh ah hmm well now here there all any both each either every neither none nobody nothing nowhere
    somebody something somewhere someone anybody anything anyone everybody everything everyone one two three four five
    six seven eight nine ten some such same other another more most much many few less least own too very just only
    even still also again once never ever always often perhaps maybe please thanks thank sorry hello hi hey bye let
    don't doesn't didn't can't won't that'll who'd what'd let's"""
)

SPEECH_VERBS = _words(
    """say says said saying ask asks asked reply replies replied answer answers answered begin begins began continue
    continues continued add adds added whisper whispers whispered shout shouts shouted murmur murmurs murmured mutter
    mutters muttered nod nods nodded smile smiles smiled laugh laughs laughed grin grins grinned shrug shrugs shrugged
    sigh sighs sighed look looks looked glance glances glanced frown frowns frowned interrupt interrupts interrupted
    snap snaps snapped remark remarks remarked declare declares declared report reports reported curse curses cursed
    harrumph harrumphs harrumphed insist insists insisted admit admits admitted agree agrees agreed think thinks thought
    tell tells told turn turns turned wait waits waited walk walks walked stand stands stood sit sits sat know knows
    knew want wants wanted believe believes believed take takes took gesture gestures gestured raise raises raised shake
    shakes shook blink blinks blinked call calls called cry cries cried talk talks talked speak speaks spoke confess
    confesses confessed swear swears swore lean leans leaned step steps stepped stare stares stared"""
)
SUBJECT_VERBS = SPEECH_VERBS | _words(
    "was is has had were will would did does went goes came comes gave gives saw sees"
)
LOCATIVES = _words("at in near inside outside across around throughout within")
ARTICLES = _words("the a an")

PLACE_HEADS = _words(
    """house hut hall gate street road lane avenue square bridge river lake sea ocean bay harbour harbor port island
    isle islands hill hills mountain mountains mount valley forest wood woods park garden gardens castle palace tower
    inn hotel tavern station airport city town village county kingdom land lands street quay pier dock docks bank banks
    school hospital church cathedral prison camp base fort fortress beach coast cape point north south east west"""
)
ORGANIZATION_HEADS = _words(
    """company co corporation corp inc ltd llc gmbh ministry office bureau agency department council guild order
    university college institute academy society association union league party army navy force forces police service
    committee commission council court parliament senate congress government empire reich federation alliance
    republic club team gang crew house bank times post gazette herald news tribune press"""
) - _words("house bank")
CAPITAL_NOUNS = frozenset({"de", "lb", "gsw", "nds"})
"""Languages that capitalise every noun, so that a capital proves no name."""
PARTICLES = _words("de da di du del della van von der den of the la le el al bin ibn")
"""Lower-case words that may stand inside a name."""

WORD_NAMES = _words(
    """abbot ace amber angel archer art ash autumn baker ball barber basil bear bell bill birch bishop black blaze bond
    brook brooks brown buck bush carpenter carter case cash chance charity chase church clay cliff cole colt constance
    cook cooper coral cross crystal daisy dale dash dawn day dean destiny drew duke earl eve faith field fields finch
    fisher flint ford forest fox frank frost gene ginger glen gold grace grant gray green grey guy hardy harmony hazel
    heath heather hill holiday holly hood hook hope hunt hunter iris iron ivy jack jade jay joy judge justice keen king
    knight lake lance lane law liberty lily little long love major mark marsh mason melody mercy merit miles miller moon
    noble norm olive opal page park parker patience peace pearl penny pierce pike pool porter post potter price pride
    prince prudence quick rain ray reed rice rich rivers rob robin rock rose rosemary ruby rush rusty sage sandy scout
    sharp silver singer skip sky small smith snow sparrow spring star steel sterling stone storm strong summer summers
    sun sunny swan sweet tanner temple trip tuck turner victor violet walker wall ward waters weaver wells west white
    winter wise wolf wood woods wren young"""
)
"""Names that are English words too: in lower case they are the word, whoever bears the name."""
ALWAYS_WORDS = FUNCTION_WORDS | CALENDAR
"""Words so frequent that as names they need the proof of their position, whether or not an author says so."""
