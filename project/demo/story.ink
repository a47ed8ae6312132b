# title: The Winter Reserve
# author: the benchwright authors
# language: en
# license: MIT
# protagonists: Vesna, Joonas
# background: Vesna steers the small ferry between the town of Ostervik and the island of Hovra, with her daughter Sunniva on deck and her old friend Kasimir at the engine. Joonas has kept the books of the ferry association, which Henrike chairs, for three weeks. In twelve days the members vote on whether to sell the landing to the company Nordkai, for which Radovan speaks.

// How this story is built
// - Every decision writes its outcome into one variable of its own (a word), which is read a few
//   decisions later and then never again: that keeps the number of different states small.
// - Trust, suspicion and opinion run from 0 to 2. At 2 people act for you, at 0 against you.
// - At the end of a chapter a quarrel is half mended (0 becomes 1), and a line of the story says so.

// Trust, suspicion, public opinion
VAR kasimir_vesna = 1
VAR sunniva_vesna = 1
VAR joonas_vesna = 1
VAR henrike_joonas = 1
VAR mirela_joonas = 1
VAR emeric_suspicion = 1
VAR opinion = 1

// What opens and closes later choices and endings
VAR deal = ""
VAR seal = false
VAR papers = ""
VAR kasimir_speaks = false
VAR henrike_speaks = false

// What was chosen, one variable for each decision
VAR tremor = ""
VAR errand = ""
VAR offer = ""
VAR receipt = ""
VAR counter = ""
VAR gossip = ""
VAR part = ""
VAR gauge = ""
VAR hole = ""
VAR rolls = ""
VAR archive = ""
VAR editor = ""
VAR tin = ""
VAR walk = ""
VAR garden = ""
VAR evening = ""
VAR clipboard = ""
VAR initials = ""
VAR lamp = ""
VAR verdict = ""
VAR kitchen = ""
VAR drops = ""
VAR pier = ""
VAR soup = ""
VAR desk = ""
VAR summons = ""
VAR minutes = ""
VAR ballot = ""
VAR proof = ""
VAR headline = ""
VAR keys = ""
VAR bench = ""
VAR call = ""
VAR crew = ""
VAR bilge = ""
VAR tow = ""
VAR stretcher = ""
VAR horn = ""
VAR landing = ""
VAR thermos = ""
VAR seats = ""
VAR motion = ""
VAR ledger = ""
VAR heckle = ""
VAR corridor = ""
VAR folder = ""
VAR floor = ""
VAR urn = ""

-> tremor_scene

// ---------------------------------------------------------------- Chapter 1: an uneven beat

=== tremor_scene ===
The ferry leaves Hovra at ten past six with four passengers, two bicycles and a crate of eggs. # chapter: 1 # protagonist: Vesna # present: Vesna, Kasimir, Sunniva
Vesna feels an uneven beat through the deck boards that was not there last week.
Kasimir sits on the engine box with his glasses on a string and peels an orange by touch.
Kasimir: Old boats grumble in spring, Vesna, the same as old men.
Sunniva looks from Vesna to Kasimir and goes on winding the mooring line around one elbow.
* [Ask Kasimir about the shaft seal]
    ~ tremor = "asked"
    Kasimir stops peeling and says that the packing was tightened on Sunday, or perhaps the Sunday before.
    Vesna writes both Sundays into the log while Kasimir watches the pencil.
* [Take Kasimir's word about the noise]
    ~ tremor = "trusted"
    ~ kasimir_vesna = 2
    Kasimir remarks that one skipper still believes her mechanic, and hands Vesna half the orange.
    Sunniva hangs the torch back on its nail, since the matter is closed, and throws the peel to the gulls.
* [Lift the engine hatch despite Kasimir's protest]
    ~ tremor = "hatch"
    ~ kasimir_vesna = 0
    Kasimir gets off his box with red ears and asks Vesna how long she has taken him for a liar.
    Vesna shines a torch into the dark and sees water where there should be none.
* [Send Sunniva below to listen]
    ~ tremor = "listened"
    ~ sunniva_vesna = 2
    Sunniva slides down the ladder with a screwdriver and presses the handle to her ear.
    Sunniva: It limps on every third turn, Kasimir. Thank you, Vesna, for asking me first.
- -> errand_scene

=== errand_scene ===
Radovan waits on the Ostervik quay in a pale coat, with a leather folder and two paper cups. # present: Vesna, Kasimir, Sunniva, Radovan, Dorte
Radovan: Twelve days until the vote, Vesna, and I bring coffee, nothing worse.
Dorte leans out of the café window and counts who is standing with whom.
* [Drink coffee with Radovan in plain view]
    ~ errand = "coffee"
    ~ opinion = MAX(opinion - 1, 0)
    {
    - kasimir_vesna == 2: Kasimir winks at Vesna over the steam and goes off to count the mooring lines.
    - kasimir_vesna == 0: Kasimir tells the whole quay that he has often wondered what a skipper costs, and it is one cup.
    - else: Kasimir sniffs at the steam, asks whether there is a third cup, and shrugs when there is not.
    }
    Vesna sits down on a bollard where half of Ostervik can see what she is holding.
* [Invite Radovan aboard behind closed doors]
    ~ errand = "aboard"
    {
    - kasimir_vesna == 2: Kasimir shuts the wheelhouse for Vesna and sits down in front of it like a dog.
    - kasimir_vesna == 0: Kasimir raps on the glass and asks whether the engine is included in the price.
    - else: Kasimir lingers outside the wheelhouse and then remembers some work at the bow.
    }
    Radovan sets both cups on the chart table and thanks Vesna for her discretion.
* [Leave Radovan standing and visit Dorte]
    ~ errand = "visit"
    ~ opinion = MIN(opinion + 1, 2)
    Radovan is left with two full cups and nobody to talk to, and empties both himself.
    Dorte opens the café door before Vesna has crossed the street.
* [Leave Radovan to Kasimir's sharp tongue]
    ~ errand = "tongue"
    {
    - kasimir_vesna == 2: Kasimir rolls up both sleeves, delighted, and begins with the founding of the landing in 1911.
    - kasimir_vesna == 0: Kasimir says that Vesna trusts his mouth, at least, and turns the pale coat round by the elbow.
    - else: Kasimir gives Vesna a grateful nod and asks the pale coat what a yacht is for.
    }
    ~ kasimir_vesna = MIN(kasimir_vesna + 1, 2)
    Vesna slips away to the café with Sunniva while Radovan looks for an opening.
-
{tremor == "asked": By half past twelve Kasimir is back from the workshop, muttering that a new part would do no harm.}
{tremor == "trusted": Kasimir has spent the lunch hour on the wheelhouse lock that nobody has mentioned for two years.}
{tremor == "hatch": Towards one Kasimir borrows a hand pump from the fishermen and lugs it down the quay.}
{tremor == "listened": Out of his own chest Kasimir has given the girl a second screwdriver, and he calls her the doctor.}
{errand == "coffee" or errand == "aboard": -> offer_scene}
-> counter_scene

=== offer_scene ===
Radovan unrolls a drawing of the Ostervik landing with forty white yachts on it. # present: Vesna, Radovan, Sunniva
Radovan: Nordkai trains six apprentices a year, and Sunniva is said to have clever hands.
Sunniva bends over a splice, and her fingers have stopped moving.
Radovan: I ask for nothing, Vesna, except a little quiet until the vote.
* [Refuse the apprenticeship on the spot]
    ~ offer = "refused"
    {
    - sunniva_vesna == 2: Sunniva looks at Vesna as if at a stranger, swallows, and rolls up the drawing herself.
    - else: Sunniva tells Vesna that it was not hers to throw away, drops the splice and goes.
    }
    ~ sunniva_vesna = MAX(sunniva_vesna - 1, 0)
    Radovan remarks that a closed door may be knocked at again, and leaves a card on the rail.
* [Ask Radovan for the terms in writing]
    ~ offer = "written"
    ~ deal = "letter"
    {
    - errand == "coffee": Radovan glances up at the windows round the quay and says that such things are sent by post.
    - else: Radovan looks round the closed wheelhouse, smiles, and reaches for his fountain pen.
    }
    Sunniva spells her second name for Radovan, so that they get it right on paper.
* [Promise silence in exchange for the place]
    ~ offer = "promised"
    ~ deal = "owed"
    ~ sunniva_vesna = MIN(sunniva_vesna + 1, 2)
    Radovan lays a finger on his lips and then shakes Vesna's hand with both of his own.
    Sunniva whispers to Vesna that she will never forget this, and hides a red face behind the rope.
* [Let Sunniva answer for herself]
    ~ offer = "herself"
    {
    - sunniva_vesna == 2: Sunniva tells Radovan that she wants to see the workshop first, and the wages in figures.
    - else: Sunniva goes red, squeezes Vesna's hand under the drawing, and asks Radovan for a week to think.
    }
    ~ sunniva_vesna = MIN(sunniva_vesna + 1, 2)
    Radovan calls the girl Miss from then on, and closes the folder over the drawing.
- -> receipt_scene

=== receipt_scene ===
Joonas brakes his bicycle on the landing with the fuel receipts clamped under one arm. # present: Vesna, Joonas, Sunniva
Joonas watches a pale coat turn the corner and asks Vesna what brought Nordkai here.
Joonas: Three weeks as treasurer, and everyone stops talking when I come round a corner.
* [Tell Joonas everything that Radovan said]
    ~ receipt = "told"
    {
    - offer == "promised": Sunniva kicks Vesna's ankle when it comes to the bargain, and Joonas looks politely at the gulls.
    - offer == "refused": Joonas lets out a long breath and says that he would not have dared to say no.
    - else: Joonas writes down forty yachts and six apprentices, and asks Vesna what the catch is.
    }
    ~ joonas_vesna = 2
    Joonas: Nobody else here has trusted me with a thing, Vesna. They have offered me something too.
* [Claim that Radovan asked about timetables]
    ~ receipt = "timetables"
    ~ joonas_vesna = 0
    Joonas looks at the two empty cups and says that he had hoped for a better lie.
    Vesna signs the receipts one after another without reading a single line.
* [Ask Joonas what Nordkai can afford]
    ~ receipt = "afford"
    Joonas turns a receipt over, wets a finger and begins to calculate on the back.
    Sunniva counts the noughts over Joonas's shoulder and whistles.
- -> part_scene

=== counter_scene ===
Dorte wipes the same square of the counter three times before she speaks. # present: Vesna, Dorte, Sunniva
A tea tin marked with a K stands behind the cups, and Dorte turns the letter to the wall.
Dorte: My lease ends in June, Vesna, and Nordkai has drawn me a kitchen with windows.
* [Ask Dorte about the tin]
    ~ counter = "tin"
    {
    - errand == "tongue": Dorte says that the man shouting at Radovan out there knows more about it than she does.
    - else: Dorte laughs too loudly and says that tea is tea, whatever the letter.
    }
    Sunniva hears coins rattle when the kitchen door slams, and looks at Vesna.
* [Thank Dorte for years of loyalty]
    ~ counter = "thanked"
    ~ opinion = MIN(opinion + 1, 2)
    Dorte blows her nose in the dishcloth and blames the onions.
    Sunniva is given the corner piece of the cake without asking for it.
* [Warn Dorte about promises from Nordkai]
    ~ counter = "warned"
    Dorte folds her arms and asks who else has offered her so much as a new tap.
    Vesna remarks that a drawing boils no soup, and Dorte looks up at the stained ceiling.
- -> gossip_scene

=== gossip_scene ===
Joonas comes in with the fuel receipts, and the tables by the window fall silent. # present: Vesna, Dorte, Joonas, Sunniva
Dorte: Here is our treasurer, so mind your purses, the reserve is hungry.
A man by the window laughs, and Joonas looks for a place to put his bicycle clips.
* [Defend Joonas before the whole café]
    ~ gossip = "defended"
    ~ joonas_vesna = 2
    {
    - counter == "thanked": Dorte raps on the counter with a spoon and orders the window tables to behave.
    - counter == "warned": Dorte shrugs and tells Vesna that a joke costs less than a kitchen.
    - else: Dorte mumbles that it was only a joke and polishes the cups in front of the tea tin.
    }
    Joonas sits down next to Vesna and thanks her so softly that only she can hear.
* [Take Joonas outside and ask about the reserve]
    ~ gossip = "outside"
    {
    - counter == "thanked": Dorte wraps two buns in paper and sends them out to the two on the bollards.
    - counter == "warned": Dorte calls after Vesna that secrets are extra in this house.
    - else: Dorte moves to the window and watches Vesna's mouth through the glass.
    }
    Joonas follows Vesna to the bollards and says that he has not finished adding.
* [Laugh along with the window tables]
    ~ gossip = "laughed"
    ~ joonas_vesna = 0
    Dorte slaps the counter and tells the joke a second time, more slowly.
    Joonas lays the receipts beside Vesna's plate, says that he had thought better of her, and goes.
- -> part_scene

=== part_scene ===
The four o'clock ferry runs heavily, and the uneven beat has found a second rhythm. # present: Vesna, Kasimir, Sunniva
{tremor == "asked": An order form lies on Vesna's chart table, filled in completely except for the signature.}
{tremor == "trusted": Vesna finds a net of oranges on the wheel, the large kind that costs extra.}
{tremor == "hatch": Vesna's shoes leave wet prints on the stairs, and a bucket with a sponge has been put out.}
{tremor == "listened": Sunniva has borrowed a library book on marine engines and reads it between two landings.}
{errand == "coffee": Dorte tells a customer, and thereby the street, that some skippers are bought before lunch.}
{errand == "aboard": Two old men on the jetty ask Vesna whether the ferry has already been sold in secret.}
{errand == "visit": Dorte has set aside the last cinnamon roll under a glass bell with Vesna's name on it.}
{errand == "tongue": Dorte reports with relish that a pale coat was seen fleeing towards the car park.}
{offer == "refused": Sunniva stacks the life jackets so hard that the bench jumps, and answers Vesna only with nods.}
{offer == "written": A driver in gloves brings Vesna a sealed envelope and waits until she has signed for it.}
{offer == "promised": A fruit basket with a silk ribbon stands in the wheelhouse, and Sunniva has eaten all the grapes.}
{offer == "herself": Sunniva informs two classmates at the rail, chin raised, that she is considering her position.}
{counter == "tin": A curtain hangs across the shelf behind the cups, as Sunniva reports from the café.}
{counter == "thanked": The board outside the café says that Vesna and her crew eat at half price this week.}
{counter == "warned": Radovan has been asked for a guarantee across three tables, and has answered with a smile.}
Kasimir: A new seal costs eleven hundred, and the association sits on its purse.
* [Pay for the seal out of Vesna's savings]
    ~ part = "own"
    ~ seal = true
    {
    - kasimir_vesna == 2: Kasimir takes Vesna by the sleeve and offers to put his own watch towards the bill.
    - kasimir_vesna == 0: Kasimir says that rich people may do as they please, and goes below.
    - else: Kasimir counts on his fingers how many winters of fares that makes, and runs out of fingers.
    }
    Vesna telephones the shipyard and spells out the number of the shaft.
* [Ask Kasimir to repack the old seal]
    ~ part = "repack"
    {
    - kasimir_vesna == 2: Kasimir kneels down with the grease pot before Vesna has finished the sentence.
    - kasimir_vesna == 0: Kasimir wants to know who will hold the torch this time, but thanks Vesna for the chance.
    - else: Kasimir beams at being trusted with it and gropes twice for the grease pot.
    }
    ~ kasimir_vesna = MIN(kasimir_vesna + 1, 2)
    Sunniva hands down the rags and the wooden mallet and counts the strokes aloud.
* [Report the leak to Henrike]
    ~ part = "chair"
    {
    - kasimir_vesna == 2: Kasimir stares at Vesna's pencil as if it had bitten him, and will not look at her.
    - kasimir_vesna == 0: Kasimir asks Vesna to spell his name correctly in the complaint.
    - else: Kasimir turns away and says that she might have come to him before running up the hill.
    }
    ~ kasimir_vesna = MAX(kasimir_vesna - 1, 0)
    Sunniva carries the folded sheet up the hill in the rain to Henrike's letter box.
* [Ask Joonas to release the money]
    ~ part = "claim"
    {
    - joonas_vesna == 2: Joonas answers on the second ring and tells Vesna that he will find a way.
    - joonas_vesna == 0: Joonas lets the telephone ring nine times and then wants it from Vesna in writing, with a stamp.
    - else: Joonas sighs into the telephone and says that he must look into the reserve first.
    }
    Kasimir listens from the ladder and mutters that books have never driven a propeller.
-
{offer == "refused": Sunniva's rucksack is missing from its hook, and a note tells Vesna not to wait with supper.}
{offer == "written": Sunniva reads a sheet with a blue letterhead twice and hides it between the tide tables.}
{offer == "promised": Sunniva sings at the bow and has painted the name of a shipyard on her school bag.}
{offer == "herself": Vesna's iron is still warm, and one good blouse hangs over a chair like a visitor.}
{counter == "tin": Dorte comes to the gangway, whispers to Kasimir, and he feels for something in his coat.}
{counter == "thanked": Eleven signatures for the old landing reach Vesna on a flour bag, and Dorte has signed first.}
{counter == "warned": At the gangway Dorte asks Vesna quietly for the name of a lawyer.}
-> gauge_scene

=== gauge_scene ===
The last ferry crosses at nine with the lamps lit and hardly anyone aboard. # present: Vesna, Kasimir, Sunniva
{receipt == "told": A list of the members waits for Vesna in the wheelhouse, with a tick beside every doubtful name.}
{receipt == "timetables": Joonas, so Kasimir reports, has been questioning everyone but Vesna about that noon on the quay.}
{receipt == "afford": A sheet of sums is pinned up beside Vesna's wheel, and the lowest line is red.}
{gossip == "defended": The ticket machine has been repaired by somebody who did not wait for Vesna's thanks.}
{gossip == "outside": The treasurer has been seen at the bank, so Vesna hears, and wanted February printed out again.}
{gossip == "laughed": Joonas sits down at the stern and opens a newspaper between himself and Vesna.}
Kasimir bends over the oil gauge, wipes the glass and calls out forty.
Vesna stands close enough to see that the needle points to twenty.
* [Whisper the true figure to Kasimir]
    ~ gauge = "whispered"
    {
    - kasimir_vesna == 2: Kasimir squeezes Vesna's arm once and writes down twenty.
    - part == "chair": Kasimir mutters his thanks, since this one, at least, she has not sent up the hill.
    - else: Kasimir writes down twenty and says, just as softly, that he will not forget it.
    }
    ~ kasimir_vesna = MIN(kasimir_vesna + 1, 2)
    Sunniva pretends to be busy with the stern lamp until both of them have moved.
* [Call the true figure across the deck]
    ~ gauge = "called"
    {
    - kasimir_vesna == 2: Kasimir blames the steam on the glass, just as loudly, and moves a step away from Vesna.
    - part == "chair": Kasimir throws the log on the bench and tells Vesna to shout it up to Henrike as well.
    - else: Kasimir pushes the log at Vesna and says that the gulls have heard it now as well.
    }
    ~ kasimir_vesna = MAX(kasimir_vesna - 1, 0)
    Sunniva sees the last two passengers turn their heads, and bites her lip.
* [Say nothing and drive Kasimir home]
    ~ gauge = "drove"
    Kasimir climbs into the van and talks about the weather as far as his own gate.
    Vesna waits with the headlights on until Kasimir has found the keyhole.
* [Tell Sunniva to stay near Kasimir]
    ~ gauge = "shadow"
    {
    - sunniva_vesna == 2: Sunniva nods before Vesna has finished and takes her jacket from the hook.
    - sunniva_vesna == 0: Sunniva says that she is still cross, but that this is the first sensible order in days.
    - else: Sunniva looks from the needle to the glasses, understands, and gives Vesna's hand a squeeze.
    }
    ~ sunniva_vesna = MIN(sunniva_vesna + 1, 2)
    Kasimir finds Sunniva at his elbow and calls her the tallest shadow on the fjord.
-
{part == "own": Sunniva finds a crumpled bill in a coat pocket that night and cooks without meat.}
{part == "repack": Someone knocks at Vesna's window at midnight with black hands and reports a dry bilge.}
{part == "chair": An answer on lined paper tells Vesna that nothing is to be spent before the vote.}
{part == "claim": A typed card promises Vesna a transfer by Thursday, with the day crossed out and restored.}
{ kasimir_vesna == 0:
    ~ kasimir_vesna = 1
    Kasimir says good night to Vesna through the shed door, which is better than nothing.
}
{ sunniva_vesna == 0:
    ~ sunniva_vesna = 1
    Sunniva leaves the porch light on for Vesna after all, and a plate under a lid.
}
{ joonas_vesna == 0:
    ~ joonas_vesna = 1
    Joonas hands in the ferry's post himself next morning, and says good day to Vesna across the counter.
}
-> hole_scene

// ---------------------------------------------------------------- Chapter 2: nine thousand

=== hole_scene ===
Joonas adds up the winter reserve for the third time and is again nine thousand short. # chapter: 2 # protagonist: Joonas # present: Joonas, Henrike
The withdrawal slip from February bears no name, only a neat H in green ink.
Henrike climbs the office stairs with her stick and asks whether the books are in order.
* [Show Henrike the missing sum]
    ~ hole = "shown"
    ~ henrike_joonas = 2
    {
    - part == "chair": Henrike shuts her eyes and remarks that the boat leaks, and now the books do too.
    - part == "claim": Henrike goes grey and says that Vesna's seal was to have come out of that very column.
    - else: Henrike lowers herself into the chair and asks Joonas who else has added it up.
    }
    Joonas turns the ledger round. Henrike finds the line at once and thanks him for coming to her first.
* [Ask Henrike for a few more days]
    ~ hole = "days"
    Henrike taps the cover of the ledger and says that thoroughness is a virtue.
    Joonas hears the stick pause on the landing before it goes on down.
* [Copy the slip while Henrike makes tea]
    ~ hole = "copied"
    ~ papers = "slip"
    Henrike clatters with the kettle behind the partition and recalls the school play of 1988.
    Joonas slides the warm sheet into his breast pocket and the original back under its clip.
* [Ask Henrike whose initial this is]
    ~ hole = "initial"
    ~ henrike_joonas = 0
    Henrike says that many people own pens, and that she had not taken him for a policeman.
    Joonas sees that the pen in Henrike's breast pocket has a green cap.
-
{gauge == "whispered": From the window Joonas sees the mechanic touch his cap to Vesna, which he does for nobody.}
{gauge == "called": Joonas hears two passengers wonder in the square whether the old man can read his own dials.}
{gauge == "drove": From the window Joonas sees Vesna on the quay, scraping garden mud and green paint off her boots.}
{gauge == "shadow": Joonas watches the ferry being greased, and every tool arrives before a hand has asked for it.}
-> rolls_scene

=== rolls_scene ===
Mirela leans a green bicycle against the boat shed and holds out a bag of warm rolls. # present: Joonas, Mirela, Dorte
{part == "own": Dorte, sweeping her step, tells Joonas that the skipper has sold her outboard motor to a stranger.}
{part == "repack": Joonas hears from the baker that somebody hammered below deck half the night.}
{part == "chair": The mechanic's health, as Dorte calls across to Joonas, is being discussed on the hill.}
{part == "claim": The shipyard, so Dorte says, is keeping a parcel under the counter until somebody pays.}
Mirela: Cousin, somebody rang the paper and said that your reserve is a hole with a lid.
* [Confide in Mirela under a promise of silence]
    ~ rolls = "confided"
    {
    - opinion == 2: Mirela shuts the notebook and says that the town still takes the ferry's side.
    - opinion == 0: Mirela whistles, says that the window tables know it already, and puts the pencil away.
    - else: Mirela shuts the notebook and sits down on it.
    }
    ~ mirela_joonas = 2
    Joonas tells the story in four sentences, and Mirela gives him her hand on it like a sister.
* [Ask Mirela who rang the paper]
    ~ rolls = "caller"
    Mirela taps her nose with the pencil and says that callers like to be courted.
    Joonas follows the green bicycle to the newspaper office, since that is not an answer.
* [Deny the hole and hurry to Dorte]
    ~ rolls = "denied"
    ~ mirela_joonas = 0
    Mirela writes down the denial, the time and the colour of Joonas's face.
    Joonas crosses the square so fast that a roll jumps out of the bag.
* [Send Mirela off and follow Kasimir]
    ~ rolls = "followed"
    Mirela shrugs, keeps the rolls and rings her bell twice as a farewell.
    Joonas sees Kasimir go in by the back door of the café with something under his coat.
-
{hole == "shown": A child brings Joonas the key to a private strongbox, wrapped in a page of sheet music.}
{hole == "days": The porter tells Joonas that the February folder has left the house under somebody's shawl.}
{hole == "copied": Joonas pats his breast pocket at every corner, and half the street turns to look.}
{hole == "initial": Henrike crosses the square without a greeting for Joonas, and her stick strikes every stone.}
{rolls == "confided" or rolls == "caller": -> archive_scene}
-> tin_scene

=== archive_scene ===
Mirela pulls out a drawer of press photographs in the newspaper office and blows off the dust. # present: Joonas, Mirela
In a picture from February Henrike is helping Kasimir up the steps of an eye clinic.
Mirela: The caller spoke of nine thousand, which is roughly what two eyes cost.
* [Beg Mirela to hold the picture back]
    ~ archive = "held"
    {
    - mirela_joonas == 2: Mirela shuts the drawer with her hip and says that family comes before page one.
    - else: Mirela asks what Joonas has to offer instead, and she is not joking.
    }
    Joonas looks at Kasimir's hand on Henrike's sleeve until Mirela turns off the lamp.
* [Steal the picture behind Mirela's back]
    ~ archive = "stolen"
    ~ mirela_joonas = MAX(mirela_joonas - 1, 0)
    Mirela answers the telephone in the next room, and the drawer closes without a sound.
    Joonas buttons his jacket to the chin, and Mirela, coming back, asks twice what is under it.
* [Explain what Kasimir means to Hovra]
    ~ archive = "explained"
    {
    - mirela_joonas == 2: Mirela lays down the pencil and asks Joonas to begin with the winter of the ice.
    - else: Mirela keeps the pencil moving until the stranded school class, and then it stops.
    }
    Joonas hears himself defend a man to whom he has spoken five times.
- -> editor_scene

=== editor_scene ===
The editor shouts through the wall that he needs two columns by six o'clock. # present: Joonas, Mirela
Mirela: Something has to stand on that page, and at the moment it is you.
* [Give Mirela the passenger figures]
    ~ editor = "figures"
    ~ opinion = MIN(opinion + 1, 2)
    {
    - archive == "explained": Mirela spreads the sheets out like a hand of cards and begins to smile.
    - archive == "stolen": Mirela counts the sheets before she takes them and once more afterwards, watching his hands.
    - else: Mirela runs a ruler down the months and calls it a trade between cousins.
    }
    Joonas explains the winter columns while Mirela types with two fingers.
* [Send Mirela to interview Vesna]
    ~ editor = "interview"
    ~ joonas_vesna = MAX(joonas_vesna - 1, 0)
    {
    - archive == "explained": Mirela asks whether the skipper bites, and takes the small recorder instead of the big one.
    - archive == "stolen": Mirela wants a portrait for it and starts to hunt through the drawer.
    - else: Mirela shoulders the big recorder before Joonas can name a time.
    }
    Vesna, told by telephone who has sent the press, calls Joonas a coward and hangs up.
* [Ask Mirela to leave the page blank]
    ~ editor = "blank"
    ~ mirela_joonas = MAX(mirela_joonas - 1, 0)
    Mirela holds up an empty sheet, laughs, and stops when Joonas does not join in.
    The editor shouts again, and Mirela tells Joonas that she will remember who let her down.
- -> garden_scene

=== tin_scene ===
Kasimir counts bank notes into a tea tin on Dorte's counter and feels each one with his thumb. # present: Joonas, Kasimir, Dorte
Dorte notices Joonas first and lets a cloth fall over the tin.
Dorte: Whatever you think you saw, treasurer, you saw tea.
* [Ask Dorte to lift the cloth]
    ~ tin = "cloth"
    {
    - opinion == 2: Dorte raises one corner and says that ferry people may look but not touch.
    - opinion == 0: Dorte puts the bread knife on top and demands a warrant from Joonas.
    - else: Dorte pulls it tighter round the tin and looks to Kasimir, who shakes his head.
    }
    Kasimir sets his cap down on what is underneath and keeps one hand on it.
* [Buy cake and pretend blindness]
    ~ tin = "cake"
    Dorte cuts a slice of twice the usual size and waves away the coins.
    Kasimir breathes out and finds Dorte's sugar with his fingertips.
* [Ask Kasimir how much is still owing]
    ~ tin = "owing"
    {
    - kasimir_vesna == 2: Kasimir tells Joonas that Vesna's friends may know, and says two hundred a month until the grave.
    - else: Kasimir wants to know who sends bookkeepers through old men's pockets, and names no figure.
    }
    Dorte turns the sign to closed and says that debts are no subject for customers.
- -> walk_scene

=== walk_scene ===
Kasimir takes the path along the breakwater, and Joonas wheels the bicycle beside him. # present: Joonas, Kasimir
Kasimir misses the last step by a hand's breadth and swears at the moon.
Kasimir: You mean to ask me something, boy, so ask before the rain does.
* [Ask Kasimir where the notes came from]
    ~ walk = "source"
    {
    - tin == "cake": Kasimir says that a boy who can look away has earned the truth, and names Henrike.
    - tin == "cloth": Kasimir says that one cloth lifted is enough for one day, and that givers have a name to lose.
    - else: Kasimir names Henrike so softly that the gulls drown out half of it.
    }
    Joonas learns only now that the eyes were operated on in February, and badly.
* [Talk with Kasimir about engines instead]
    ~ walk = "engines"
    {
    - tin == "cake": Kasimir sits down on a bollard and draws a crankshaft in the dust for Joonas.
    - tin == "cloth": Kasimir grudges him one valve at a time until the lighthouse, and then a whole gearbox.
    - else: Kasimir laughs for the first time and says that nobody has ever changed a subject so badly.
    }
    Joonas hears between two pistons about a clinic in February and a friend on the hill.
* [Offer Kasimir a proper loan agreement]
    ~ walk = "agreement"
    ~ papers = "loan"
    {
    - tin == "cake": Kasimir wipes his hands on his trousers and asks Joonas for a pen.
    - tin == "cloth": Kasimir growls that peeping comes first and paper second, but he holds out his hand for it.
    - else: Kasimir pulls off his cap and asks how long a man has to live for that.
    }
    Joonas puts a finger on the dotted line, and Kasimir signs half a hand too low.
- -> garden_scene

=== garden_scene ===
Henrike is cutting back the roses behind her house and does not turn round at the gate. # present: Joonas, Henrike
{hole == "shown": Henrike has set out two cups on the garden table and put a shawl over the second chair.}
{hole == "days": The committee's sitting has been put off by a week, as the milkman tells Joonas at the gate.}
{hole == "copied": A neighbour tells Joonas over the hedge that the office machine has eaten its last sheet of paper.}
{hole == "initial": Every label in the garden is blue since Wednesday, and Joonas sees a broken bottle in the ashes.}
{rolls == "confided": The printer tells Joonas that three pages of shorthand have gone into the stove unread.}
{rolls == "caller": Joonas has been played a recorded voice, and it speaks with Radovan's careful vowels.}
{rolls == "denied": Mirela stands across the road and makes a note of the minute at which Joonas arrives.}
{rolls == "followed": Joonas finds a baker's bill for six rolls clipped under his bicycle bell.}
{archive == "held": The editor complains to Joonas of a camera that must have been broken that month.}
{archive == "stolen": A locksmith has been at the newspaper office, and Joonas has been sent no explanation.}
{archive == "explained": Mirela has taken the ferry twice without a notebook and carried a gas bottle for the crew.}
{tin == "cloth": Dorte has moved her savings box and now serves Joonas last, whoever comes after him.}
{tin == "cake": Dorte has slipped Joonas a list of dates and sums, written on the back of a menu.}
{tin == "owing": Dorte has warned the hill by telephone, for Henrike says at once that she expected him.}
Henrike: I taught half of this town to subtract, Joonas, so there is no need to spare me.
* [Offer Henrike time to repay quietly]
    ~ garden = "quiet"
    {
    - henrike_joonas == 2: Henrike lays down the shears, takes Joonas's hand and begins to reckon what a piano fetches.
    - henrike_joonas == 0: Henrike asks what such kindness is going to cost, hears no price, and holds out her hand.
    - else: Henrike cuts a rose for his buttonhole and says that he shall have the first hundred by May.
    }
    ~ henrike_joonas = MIN(henrike_joonas + 1, 2)
    Joonas names no sum, and Henrike names no name.
* [Demand that Henrike inform the committee]
    ~ garden = "demand"
    {
    - henrike_joonas == 2: Henrike goes pale and says that she had begun to think of Joonas as a friend.
    - henrike_joonas == 0: Henrike opens the gate with the tip of her stick and tells him to denounce her himself.
    - else: Henrike wipes the shears on her apron and says that she takes no orders from former pupils.
    }
    ~ henrike_joonas = MAX(henrike_joonas - 1, 0)
    Joonas repeats the sentence, because it came out too loudly, and it comes out louder.
* [Ask Henrike what happened in February]
    ~ garden = "february"
    {
    - henrike_joonas == 2: Henrike says that a man was going blind, and that the bank wanted forms.
    - henrike_joonas == 0: Henrike answers that it was a cold month, and returns to the roses.
    - else: Henrike begins a sentence with Kasimir's name and ends it with the weather.
    }
    Joonas holds the basket for the cuttings and does not interrupt.
* {papers == "slip"} [Lay the copied slip before Henrike]
    ~ garden = "paper"
    Henrike recognises her own green letter and sits down on the edge of the well.
    Joonas says that there is only one copy, and that it is this one.
* {papers == "loan"} [Show Henrike the signed agreement]
    ~ garden = "paper"
    Henrike runs a finger over Kasimir's crooked name and says that he used to write a beautiful hand.
    Joonas says that a debt with a signature is not a theft.
-
{archive == "held": Mirela asks Joonas on the telephone what a broken camera is worth to a grateful cousin.}
{archive == "stolen": Very evenly, on the telephone, Mirela asks Joonas what else has left her office lately.}
{archive == "explained": A call from Mirela reaches Joonas at supper, and she asks whether old mechanics like poppy cake.}
{tin == "cloth": The milkman tells Joonas that tea at the café costs double from now on.}
{tin == "cake": Dorte sends word to Joonas that the table by the stove is his, on any day.}
{tin == "owing": Joonas is told by the baker that an old man has not touched his plate since.}
-> evening_scene

=== evening_scene ===
Vesna holds the evening ferry for Joonas, who runs the last hundred metres with his bicycle. # present: Joonas, Vesna, Sunniva
{editor == "figures": A page of the weekly hangs in the cabin, and Sunniva finds her Tuesday commuters in it.}
{editor == "interview": A young woman with a recorder has been aboard, and Joonas hears what she was called.}
{editor == "blank": The weekly has printed a white square, and under it that Joonas had no answer.}
{walk == "source": A pair of dark glasses lies on the cabin bench, as Joonas sees, and no passenger claims it.}
{walk == "engines": A spark plug in tissue paper lies waiting for Joonas, polished like a medal.}
{walk == "agreement": Four crumpled fifties in an envelope wait for Joonas, with the word first on the flap.}
{deal == "letter": A blue letterhead sticks out between Vesna's tide tables, and Joonas has seen it.}
{joonas_vesna == 2: Vesna takes the bicycle out of Joonas's hands and lashes it down herself.}
{joonas_vesna == 1: Vesna points Joonas with her chin to the rack where the bicycles go.}
{joonas_vesna == 0: Vesna watches Joonas lift his bicycle over the rail and does not offer a hand.}
Vesna asks whether the association will pay for the seal, and keeps her eyes on the water.
* [Tell Vesna about the missing nine thousand]
    ~ evening = "told"
    {
    - joonas_vesna == 2: Vesna stops the engine in the middle of the fjord so that nobody can overhear.
    - joonas_vesna == 0: Vesna asks why he comes with it only now, but makes room for him beside the wheel.
    - else: Vesna rubs her forehead and says that he is the first who has trusted her with the truth.
    }
    ~ joonas_vesna = MIN(joonas_vesna + 1, 2)
    Joonas watches the lights of Hovra come nearer and waits for the next question.
* [Pay for the seal from petty cash]
    ~ evening = "cash"
    {
    - seal: Vesna pushes the notes back and says that the thing is already paid for.
    - joonas_vesna == 2: Vesna signs for the notes and asks Joonas whether he has eaten anything today.
    - else: Vesna counts the notes twice and signs for them with a stub of pencil.
    }
    ~ seal = true
    Joonas writes the sum into a small book and does not yet know under which heading.
* [Tell Vesna that no money can move]
    ~ evening = "frozen"
    {
    - joonas_vesna == 2: Vesna looks at Joonas, not at the water, and says that a friend would have found eleven hundred.
    - joonas_vesna == 0: Vesna says that from an office she had expected a no in any case.
    - else: Vesna turns up the radio and says that next time she will beg from strangers.
    }
    ~ joonas_vesna = MAX(joonas_vesna - 1, 0)
    Sunniva stops whistling and goes below to empty the bucket once more.
* {deal == "letter"} [Ask Vesna for Nordkai's letter]
    ~ evening = "letter"
    ~ deal = "filed"
    Vesna reaches between the tide tables and gives Joonas the sheet with the blue letterhead.
    Joonas reads the signature twice, because it is larger than the offer.
-
{garden == "quiet": A basket of early radishes stands outside the office for Joonas, tied with green thread.}
{garden == "demand": Nine people, Joonas hears, have been invited to the hill for tea, and he has not.}
{garden == "february": Joonas finds an old school photograph under his door, with two faces ringed in pencil.}
{garden == "paper": A lamp burns late on the hill, and Joonas sees a stick go up and down behind the blind.}
{ henrike_joonas == 0:
    ~ henrike_joonas = 1
    Henrike sends Joonas the keys to the archive without a letter, which is nearly an apology.
}
{ joonas_vesna == 0:
    ~ joonas_vesna = 1
    Vesna lets Joonas's bicycle travel free of charge and calls it a lapse of memory.
}
-> clipboard_scene

// ---------------------------------------------------------------- Chapter 3: the inspector

=== clipboard_scene ===
{ deal == "letter":
    ~ deal = ""
}
Emeric stands on the Hovra jetty at six in a rain cape, a whole day early. # chapter: 3 # protagonist: Vesna # present: Vesna, Emeric, Sunniva
Emeric: I like to see a boat before it has heard that I am coming.
~ sunniva_vesna = 1
Sunniva ties up with a very correct knot, for the two of them have spoken only about ropes all week.
* [Hand Emeric the log without comment]
    ~ clipboard = "log"
    Emeric reads standing up, from the back to the front, and moves his lips at the numbers.
    Vesna waits beside Emeric and does not fill the silence.
* [Keep Emeric talking until Kasimir comes]
    ~ clipboard = "talking"
    ~ emeric_suspicion = 2
    {
    - deal == "owed": Sunniva tells Emeric at length about shipyards, and Vesna wishes she would not.
    - evening == "told": Sunniva brings Emeric tea, sugar and the story of the swan without being asked.
    - else: Sunniva asks the visitor how much such a cape weighs when wet, and how much when dry.
    }
    Emeric answers three questions about his children, looks at his watch and asks what is being hidden.
* [Send Sunniva running to wake Kasimir]
    ~ clipboard = "running"
    {
    - deal == "owed": Sunniva says that apprentices at the yard are paid for this, and sets off along the jetty.
    - evening == "told": Sunniva jumps the rail before Vesna has finished, and her boots hardly touch the planks.
    - else: Sunniva laces one boot, gives up on the other and hops off between the puddles.
    }
    Emeric watches the red cap vanish between the houses and unwraps a peppermint.
* [Show Emeric every fault, worst first]
    ~ clipboard = "faults"
    ~ emeric_suspicion = 0
    {
    - seal: Emeric runs his thumb round the new seal and wishes aloud that all skippers were as frank.
    - else: Emeric lets a drop from the old seal fall into his palm and thanks Vesna for not wiping it.
    }
    Vesna lifts every hatch herself, down to the one that has not been opened since autumn.
-
{evening == "told": The pump is stopped at half a tank, and Sunniva tells the attendant that it has to do.}
{evening == "cash": Vesna hears from the pump attendant that the treasurer now buys his stamps one at a time.}
{evening == "frozen": Sunniva is told at the pump that the attendant must see coins before he unrolls the hose.}
{evening == "letter": Radovan has been round twice, says the pump attendant, to learn what the treasurer reads at night.}
-> initials_scene

=== initials_scene ===
Kasimir comes down the jetty, and Emeric holds the maintenance sheet up against the light. # present: Vesna, Emeric, Kasimir, Sunniva
{garden == "quiet": Henrike has sold her piano, as the whole jetty knows this morning, and will not say why.}
{garden == "demand": Henrike crosses on the early boat with her face to the wind and greets nobody.}
{garden == "february": Through the whole early crossing Henrike sits on the engine box and hums to herself.}
{garden == "paper": Vesna is asked by Henrike, before the boat has tied up, for a notary who does not play cards.}
{kasimir_vesna == 2: Kasimir nods to Vesna first and to Emeric second, as one does among friends.}
{kasimir_vesna != 2: Kasimir nods to Emeric, to Vesna, to Sunniva and to the boat, in that order.}
Emeric asks who signed for the shaft, since the initials stand on the line for the radio.
Kasimir folds his arms and studies the horizon, where there is nothing.
* [Vouch for Kasimir's signature]
    ~ initials = "vouched"
    {
    - emeric_suspicion == 2: Emeric asks Vesna to say it once more, slowly, so that he can write it down.
    - emeric_suspicion == 0: Emeric regards Vesna with real regret and says that he believed her until this minute.
    - else: Emeric looks from Vesna to the old man and says that now two people may be lying to him.
    }
    ~ kasimir_vesna = 2
    ~ emeric_suspicion = 2
    Kasimir unfolds his arms and comes to stand so close that his sleeve touches Vesna's.
* [Admit that the sheet worries Vesna]
    ~ initials = "worried"
    {
    - kasimir_vesna == 2: Kasimir turns to Vesna as if somebody else had spoken with her mouth.
    - clipboard == "running": Kasimir asks Vesna whether he was fetched out of bed to be called a forger.
    - else: Kasimir tells the horizon that after thirty years she might have said it to him first.
    }
    ~ kasimir_vesna = MAX(kasimir_vesna - 1, 0)
    ~ emeric_suspicion = MAX(emeric_suspicion - 1, 0)
    Emeric thanks Vesna for an honest answer and asks for the key to the engine room.
* [Ask Emeric for one day of grace]
    ~ initials = "grace"
    {
    - emeric_suspicion == 2: Emeric says that he has had enough conversation and will stand here again tomorrow at six sharp.
    - emeric_suspicion == 0: Emeric buttons his cape and says that honest faults can wait until Sunday.
    - else: Emeric considers the tide, the sheet and Vesna's hands, and agrees.
    }
    Kasimir blows out his cheeks like a boy let off school and misses a bollard with his hand.
* [Take Kasimir aside before any answer]
    ~ initials = "aside"
    {
    - kasimir_vesna == 2: Kasimir lays his hand on Vesna's shoulder and lets himself be led behind the shed.
    - clipboard == "talking": Kasimir says that he has not even had time to shave, but he follows Vesna behind the shed.
    - else: Kasimir follows Vesna round the corner of the shed and taps the wall as he goes.
    }
    Emeric sits down on a crate with his lunch and calls after them that he has a room here.
-
{clipboard == "log": Vesna has been lent an official pencil for the corrections and been shown where to begin.}
{clipboard == "talking": The whole jetty can now tell Vesna what the inspector's three children are called.}
{clipboard == "running": A jacket is buttoned wrongly this morning, and Vesna has to tell its owner twice.}
{clipboard == "faults": The whole boat stands open to dry, and the gulls have found Vesna's bread.}
{initials == "vouched" or initials == "worried": -> lamp_scene}
-> kitchen_scene

=== lamp_scene ===
The engine room is hot, and Emeric asks Kasimir to read the pressure from the new gauge. # present: Vesna, Emeric, Kasimir
Kasimir leans forward until his glasses touch the dial and says nothing for a while.
* [Murmur the number into Kasimir's ear]
    ~ lamp = "murmured"
    {
    - initials == "vouched": Emeric tells Vesna to stand at the other end of the room and asks again.
    - emeric_suspicion == 0: Emeric kindly studies a pipe until the whispering is over.
    - else: Emeric waits for the two heads to part and writes down what he could not help hearing.
    }
    Kasimir repeats the number a little too fast, like a boy at the blackboard.
* [Hold the lamp closer for Kasimir]
    ~ lamp = "closer"
    {
    - kasimir_vesna == 2: Kasimir says thank you, Vesna, and reads the number on the third attempt.
    - kasimir_vesna == 0: Kasimir pushes her arm aside and says that it is not the light.
    - else: Kasimir blinks into the light and guesses a number that is almost right.
    }
    Emeric moves to one side so that his shadow does not fall on the dial.
* [Wait in silence for Kasimir's answer]
    ~ lamp = "silence"
    {
    - kasimir_vesna == 2: Kasimir feels for Vesna's sleeve, gets no help there and slowly lets go of it.
    - kasimir_vesna == 0: Kasimir takes off his glasses, pockets them and goes up the ladder.
    - else: Kasimir says that the dial is dirty, and that a friend would have said so for him.
    }
    ~ kasimir_vesna = MAX(kasimir_vesna - 1, 0)
    Emeric closes the folder without a sound and looks at the floor.
- -> verdict_scene

=== verdict_scene ===
Emeric fills in a form on the engine box and turns it so that Vesna can read it. # present: Vesna, Emeric, Kasimir, Sunniva
{seal: The new seal is dry, which Emeric notes first and underlines.}
{not seal: Water beads along the old seal, and Emeric follows one drop with his pencil.}
Emeric: Twenty passengers by daylight, or I close the boat until I can believe the paper.
* [Accept the limit of twenty]
    ~ verdict = "accepted"
    {
    - emeric_suspicion == 2: Emeric slides the form across without a word of thanks and keeps a second copy for himself.
    - emeric_suspicion == 0: Emeric adds a line that all this ends with one clean report.
    - else: Emeric blows on the ink and says that he had prepared himself for a quarrel.
    }
    Sunniva chalks the number on the gangway, with a small skull, before the ink is dry.
* [Argue for the full timetable]
    ~ verdict = "argued"
    {
    - emeric_suspicion == 2: Emeric lays the pencil across the word close and leaves it there until Vesna stops.
    - emeric_suspicion == 0: Emeric listens to the end, asks for Vesna's figures and still shakes his head.
    - else: Emeric lets Vesna finish, says no, and says it a second time more gently.
    }
    Kasimir counts off the seven daily crossings on his fingers as she names them.
* [Name Sunniva as second reader]
    ~ verdict = "reader"
    {
    - deal == "owed": Sunniva says that this paper, unlike Radovan's, does her honour, grins at Vesna and signs.
    - lamp == "murmured": Sunniva reads the gauge aloud, so that nobody needs to murmur, and signs in full.
    - else: Sunniva wipes her palms on her trousers and steps up to the dial.
    }
    ~ sunniva_vesna = MIN(sunniva_vesna + 1, 2)
    Emeric makes room for one more name on the form, and Sunniva thanks Vesna with both thumbs.
- -> pier_scene

=== kitchen_scene ===
Kasimir's kitchen has three clocks with large numerals and a magnifying glass beside the bread. # present: Vesna, Kasimir
Kasimir pours tea with one finger hooked over the rim of the cup.
Kasimir: Emeric comes tomorrow, so you had better drink up and say it.
* [Tell Kasimir that Vesna has noticed]
    ~ kitchen = "noticed"
    {
    - kasimir_vesna == 2: Kasimir sets down the pot, covers Vesna's hand and asks how long she has known.
    - initials == "aside": Kasimir says that she could have told him that behind the shed.
    - else: Kasimir rinses a clean cup and says to the window that he had hoped it did not show.
    }
    Vesna counts the clocks, because they are easier to look at.
* [Read Kasimir's letters aloud for him]
    ~ kitchen = "letters"
    {
    - kasimir_vesna == 2: Kasimir fetches a whole drawer of envelopes and puts it on Vesna's knees.
    - initials == "aside": Kasimir holds back the third envelope, then gives Vesna that one too.
    - else: Kasimir says that it is only advertising, and at the third sheet moves his chair beside hers.
    }
    ~ kasimir_vesna = MIN(kasimir_vesna + 1, 2)
    Vesna reads a reminder from the clinic in the voice that she uses for timetables.
* [Ask Kasimir for the old engine story]
    ~ kitchen = "story"
    Kasimir tells it with both hands, the spoon as the crank and the cups as the valves.
    Vesna laughs in the wrong place, and the kettle boils over unheeded.
- -> drops_scene

=== drops_scene ===
Kasimir puts drops into both eyes and says that February was meant to be the end of it. # present: Vesna, Kasimir
Kasimir: On that boat I can hear everything, Vesna, it is only paper that has gone dark.
* [Promise Kasimir to keep the secret]
    ~ drops = "promised"
    {
    - kitchen == "noticed": Kasimir shakes Vesna's hand on it and says that he can bear being watched by a friend.
    - kitchen == "letters": Kasimir gathers up the envelopes, pats Vesna's cheek and says that two people are enough.
    - else: Kasimir lets go of the spoon at last and says that he can sleep now, thanks to her.
    }
    ~ kasimir_vesna = 2
    Vesna gives her word and hears one of the clocks run slow.
* [Propose Sunniva as Kasimir's second pair of eyes]
    ~ drops = "pair"
    {
    - kitchen == "noticed": Kasimir says that a girl beside him would be a sign round his neck, and then asks when.
    - kitchen == "letters": Kasimir wants to know whether the girl reads as well as her mother does.
    - else: Kasimir says that somebody has to learn the story of the old engine.
    }
    ~ sunniva_vesna = MIN(sunniva_vesna + 1, 2)
    Vesna tells Sunniva about it at the gate, and Sunniva takes her arm all the way home.
* [Urge Kasimir to confess to Emeric]
    ~ drops = "confess"
    {
    - kitchen == "noticed": Kasimir says that he had poured tea for a friend, and not for the harbour office.
    - kitchen == "letters": Kasimir snatches the envelopes out of Vesna's hands and holds the door open for her.
    - else: Kasimir stops in the middle of a valve stroke and tells Vesna that she has finished her tea.
    }
    ~ kasimir_vesna = MAX(kasimir_vesna - 1, 0)
    Vesna finds her own coat and has trouble with the sleeve.
- -> pier_scene

=== pier_scene ===
Emeric's form hangs in the wheelhouse on Monday, and it says twenty passengers, by daylight only. # present: Vesna, Sunniva, Kasimir
{initials == "vouched": A file with Vesna's own name on it has been opened in Ostervik, as the postman reports.}
{initials == "worried": Kasimir has walked past the van in the rain without lifting a hand for a ride.}
{initials == "grace": The harbour office has sent Vesna a receipt for twenty-four hours, stamped at both ends.}
{initials == "aside": Sunniva has found two sets of footprints behind the shed and asks nobody about them.}
{lamp == "murmured": Somebody has painted the figures on every dial over in white, twice as large, and Vesna smells turpentine.}
{lamp == "closer": Stronger bulbs have been screwed into every socket below deck, and Vesna gets the bill.}
{lamp == "silence": A shelf in the workshop has been emptied, as Vesna sees, and only the calendar left hanging.}
{kitchen == "noticed": The old man's magnifying glass has come out of hiding, and he wears it on his chest.}
{kitchen == "letters": Kasimir has answered the clinic, with the stamp upside down and the address in capitals.}
{kitchen == "story": A spoon and three cups lie below deck, as Sunniva reports, set out like valves.}
Sunniva sits at the end of the pier with a printed form on her knees and has filled in half of it.
{deal == "owed": Radovan's contract lies under Sunniva's boot, with a card that mentions patience.}
Sunniva: The yard takes new people in August, and somebody has to sign here by Friday.
* [Beg Sunniva to stay until the vote]
    ~ pier = "stay"
    {
    - deal == "owed": Sunniva says that Radovan at least keeps to what he has agreed.
    - sunniva_vesna == 2: Sunniva slides one plank away from Vesna and says that August does not wait for ballots.
    - else: Sunniva asks which excuse comes after this one, and turns her back on Vesna.
    }
    ~ sunniva_vesna = MAX(sunniva_vesna - 1, 0)
    Vesna reads the printed form as if it were a chart of unknown water.
* [Sign Sunniva's form without conditions]
    ~ pier = "signed"
    {
    - deal == "owed": Sunniva looks from this paper to the other contract and thanks Vesna for naming no price.
    - sunniva_vesna == 2: Sunniva holds the paper still for Vesna and has to wipe her nose with her cap.
    - else: Sunniva asks what the catch is, hears that there is none, and hugs Vesna, pen in hand.
    }
    ~ sunniva_vesna = 2
    Vesna signs so fast that the ink runs over the edge of the line.
* [Offer Sunniva the engine as her charge]
    ~ pier = "charge"
    {
    - verdict == "reader": Sunniva says that her name is on the form anyway, so she might as well get black hands.
    - drops == "pair": Sunniva says that Kasimir has already told her which valve sulks.
    - else: Sunniva asks what is to become of Kasimir, who is looking for the hatch with his foot.
    }
    Kasimir grunts that the girl may start with the grease.
* {deal == "owed"} [Return Radovan's contract by post]
    ~ pier = "returned"
    ~ deal = ""
    Sunniva lifts her boot off the pages and watches Vesna fold them into three.
    Vesna licks the stamp and hits it with her fist.
-
{lamp == "murmured": Kasimir recites figures under his breath at the gangway that evening, and Sunniva corrects the ninth.}
{lamp == "closer": Kasimir goes below that evening with two torches tied together and blinds the first passenger he meets.}
{lamp == "silence": Kasimir speaks to Vesna that evening only in the words of the safety manual.}
{kitchen == "noticed": Kasimir asks Sunniva that evening, for the first time, whether the lamp on the buoy is lit.}
{kitchen == "letters": A telephone bill and a postcard lie on Vesna's bench that evening, unopened, under a spanner.}
{kitchen == "story": Kasimir lets Sunniva start the motor herself that evening, with the trick he never shows.}
-> soup_scene

=== soup_scene ===
Vesna eats pea soup at Dorte's counter, and the window tables discuss the missing reserve. # present: Vesna, Dorte, Radovan
{verdict == "accepted": Emeric has sent a second lifebuoy on loan, with a luggage label made out to Vesna.}
{verdict == "argued": A boy has been hired to count heads at the gangway, and he salutes Vesna each time.}
{verdict == "reader": A stamped certificate has come from the harbour office, and Dorte has framed it behind the counter.}
{drops == "promised": Vesna's soup has been paid for in advance, to the end of the month.}
{drops == "pair": Another stool has been cut to size for the engine room, and Dorte wonders who has such short legs.}
{drops == "confess": A bus ticket to the clinic has been bought, one way, as Dorte tells Vesna.}
Dorte: They say the young man bought a motorcycle with it, though nobody has seen him ride.
Radovan reads a menu that he has known by heart for weeks.
* [Stand up for Joonas at the counter]
    ~ soup = "stood"
    ~ opinion = MIN(opinion + 1, 2)
    ~ joonas_vesna = 2
    {
    - opinion == 2: Dorte bangs two lids together and tells the window tables that the next word about a motorcycle costs ten crowns.
    - evening == "told": Dorte asks how Vesna can be so sure, and Vesna looks into her spoon.
    - else: Dorte turns off the radio and says that the window tables may hear some good of him too.
    }
    Radovan turns a page of the menu, and Joonas, told of it in the street, comes in to thank Vesna.
* [Carry the rumour up to Henrike]
    ~ soup = "carried"
    {
    - henrike_joonas == 2: Henrike hears Vesna out, calls it a lie and reaches for her hat.
    - else: Henrike hears Vesna out with both hands on her stick and thanks her for the trouble.
    }
    Vesna walks back down the hill with the feeling of having posted something twice.
* [Ask Radovan where the rumour began]
    ~ soup = "began"
    {
    - opinion == 2: Radovan lays down the menu, since every face by the window has turned to him.
    - deal == "owed": Radovan murmurs that a handshake covers questions as well, and goes on reading the soups.
    - else: Radovan spreads his hands and says that small towns are large instruments.
    }
    Dorte fills Vesna's plate again and forgets to fill Radovan's.
* [Finish the soup and stay silent]
    ~ soup = "finished"
    ~ opinion = MAX(opinion - 1, 0)
    Dorte waits with the ladle in the air and then lets it sink.
    Radovan lifts his glass to Vesna as one does to a colleague.
-
{pier == "stay": Dorte's window tables have seen a red cap at the bus stop, reading the timetable.}
{pier == "signed": Somebody in a red cap, says Dorte, has been scrubbing the ferry's hull since four.}
{pier == "charge": A girl comes in, black to the elbows, and the window tables move their chairs for her.}
{pier == "returned": Sunniva counts her savings at the end of the counter and asks Dorte what August costs.}
~ kasimir_speaks = kasimir_vesna == 2
{ sunniva_vesna == 0:
    ~ sunniva_vesna = 1
    Sunniva waits for Vesna at the corner that night, and the two of them walk home without talking.
}
-> desk_scene

// ---------------------------------------------------------------- Chapter 4: two offers

=== desk_scene ===
Radovan hangs his pale coat on the office door and stands until Joonas offers him the chair. # chapter: 4 # protagonist: Joonas # present: Joonas, Radovan
{henrike_joonas == 2: Henrike's own cushion still lies on Joonas's chair, with orders that he is to keep it.}
{henrike_joonas != 2: Henrike has sent Joonas the minutes of March by the baker's boy, tied up with string.}
Radovan: Nordkai needs an accountant for the site, and you need a town that greets you.
Joonas moves the ledger from the middle of the desk to the edge.
* [Decline and show Radovan the stairs]
    ~ desk = "declined"
    {
    - soup == "stood": Radovan buttons his coat and says that this no has a skipper's voice, soup and all.
    - soup == "began": Radovan turns in the doorway and says that Vesna only questioned him, she did not put him out.
    - else: Radovan takes his coat without haste and leaves the chair a little warmer.
    }
    Joonas listens to the steps and counts two more than the staircase has.
* [Ask Radovan what Nordkai wants to know]
    ~ desk = "probed"
    {
    - soup == "stood": Radovan counts off on his fingers, starting with who paid the skipper for her speech over soup.
    - soup == "carried": Radovan unfolds a typed sheet, and at the top of it stands the skipper's visit to Henrike's gate.
    - else: Radovan draws his chair closer and says that curiosity is the beginning of a career.
    }
    Joonas writes down the questions and keeps the answers to himself.
* [Let Radovan see the harmless pages]
    ~ desk = "pages"
    ~ opinion = MAX(opinion - 1, 0)
    {
    - soup == "finished": Radovan turns the leaves with a pencil and praises a town where nobody makes a scene.
    - soup == "began": Radovan smiles at last, as he did not smile over Vesna's soup, and bends over the figures.
    - else: Radovan puts on a pair of narrow glasses and copies a column of small sums onto his cuff.
    }
    Joonas discovers that no page is harmless once a stranger reads it.
* {deal == "filed"} [Lay Nordkai's letter on the desk]
    ~ desk = "letter"
    Radovan recognises his own signature upside down and does not sit down after all.
    Joonas says that the members might like to see how large it is.
-
{soup == "stood": Dorte sends a plate up from the café under a cloth, with a fork already in it.}
{soup == "carried": The talk of a motorcycle has reached the hill, as Joonas hears from the postman, and who brought it.}
{soup == "began": An unsigned postcard advises Joonas to find out who pays for the wine of the window tables.}
{soup == "finished": Someone has drawn a motorcycle in the dust on the office door, and Joonas leaves it.}
-> summons_scene

=== summons_scene ===
Two envelopes lie on the stairs on Tuesday, one from the committee and one from Mirela. # present: Joonas, Henrike
{pier == "stay": The girl on the ferry, so the porter tells Joonas, has stopped speaking to passengers.}
{pier == "signed": The porter swears to Joonas that somebody whistles on the ferry again, and in tune.}
{pier == "charge": Grown men, the porter tells Joonas, are being corrected about pistons by a schoolgirl.}
{pier == "returned": A guitar is for sale on the ferry, Joonas hears, and the price is a year's bus fare.}
The committee meets at eight, and Mirela's page goes to press at the same hour.
Henrike waits at the foot of the stairs with her hat on and asks which door Joonas will take.
* [Walk to the committee beside Henrike]
    ~ summons = "beside"
    {
    - henrike_joonas == 2: Henrike takes Joonas's arm and leaves the stick hanging over her own.
    - soup == "carried": Henrike puts herself between Joonas and the whispers on the kerb, and greets each whisperer.
    - else: Henrike sets a sharp pace, slows down to his at the corner and lets him have her bag.
    }
    ~ henrike_joonas = MIN(henrike_joonas + 1, 2)
    Joonas holds the door of the schoolhouse open, and for a moment nobody inside speaks.
* [Face the committee alone with ledgers]
    ~ summons = "alone"
    {
    - henrike_joonas == 2: Henrike offers to carry the lighter volume and is refused, and understands.
    - soup == "carried": Henrike remarks that books weigh more than talk, and counts the four that he has to lift.
    - else: Henrike looks at the four volumes under Joonas's arm and goes ahead.
    }
    Joonas piles the ledgers on the schoolhouse table until only his eyes can be seen.
* [Ask Vesna to represent the treasurer]
    ~ summons = "vesna"
    {
    - soup == "stood": Vesna says on the telephone that she has practised on soup, and hangs up.
    - soup == "finished": Vesna is silent on the telephone, and then wants the names of all nine, spelt.
    - else: Vesna wonders on the telephone what one wears for that, and says yes.
    }
    Henrike writes a skipper's name over his on her list, and Joonas sets out for the printing works.
* [Send apologies and run to Mirela]
    ~ summons = "apologies"
    {
    - henrike_joonas == 2: Henrike folds the sheet into her glove and says that she had counted on him.
    - soup == "carried": Henrike says that a man who stays away looks like what is said of him.
    - else: Henrike takes his note with two fingers, reads it twice and turns her back on him.
    }
    ~ henrike_joonas = MAX(henrike_joonas - 1, 0)
    Joonas reaches the printing works with one bicycle clip and no breath.
-
{desk == "declined": It is being said in the square, with a sigh, that Joonas is a man of principle.}
{desk == "probed": A driver comes running after Joonas with nine more questions, typed and numbered.}
{desk == "pages": Joonas hears the price of the office coal read aloud to a full table outside the hotel.}
{desk == "letter": Radovan walks straight past Joonas in the square with a telephone at his ear, pale.}
{summons == "beside" or summons == "alone": -> minutes_scene}
-> proof_scene

=== minutes_scene ===
Nine members of the committee sit on school chairs, and the oldest asks who signed in February. # present: Joonas, Henrike, Dorte
Henrike straightens her pencil so that it lies parallel to the edge of the table.
Dorte, who is here for the buns and for the vote, stops chewing.
* [Tell the committee about Kasimir's eyes]
    ~ minutes = "eyes"
    {
    - summons == "beside": Henrike moves her chair away from Joonas and begs the others to forget what they have heard.
    - henrike_joonas == 2: Henrike shuts the minute book and says that this was not his to give away.
    - else: Henrike breaks the pencil and says that a man's sickness belongs to the man.
    }
    ~ henrike_joonas = MAX(henrike_joonas - 1, 0)
    Dorte pushes her bun away and asks who will break it to the old man that it is out.
* [Take the blame for the late books]
    ~ minutes = "blame"
    {
    - summons == "beside": Henrike holds Joonas by the sleeve under the table and whispers that it was not his doing.
    - henrike_joonas == 2: Henrike starts up to contradict him, and sits down when Joonas shakes his head.
    - else: Henrike does not write his sentence down, and pushes her own bun across to him.
    }
    ~ henrike_joonas = 2
    Dorte mutters that three weeks is a short time for so much lateness.
* [Look at Henrike and wait]
    ~ minutes = "wait"
    {
    - summons == "beside": Henrike clears her throat into the silence, says the word I and asks for water.
    - henrike_joonas == 2: Henrike bears the silence for eleven ticks of the school clock, and her chin trembles.
    - else: Henrike ends the silence with the next item on the agenda, in a steady voice.
    }
    Dorte looks from Henrike to Joonas and back as at a game of table tennis.
- -> ballot_scene

=== ballot_scene ===
A retired pilot moves that Joonas be suspended until the meeting, and slips of paper are cut. # present: Joonas, Henrike, Dorte
Dorte counts the slips, because nobody else wants to touch them.
* [Open all the ledgers to the table]
    ~ ballot = "open"
    ~ opinion = MIN(opinion + 1, 2)
    {
    - minutes == "blame": Dorte reads two pages with her finger and says that the only late thing here is the pilot.
    - minutes == "eyes": Dorte shuts the first volume again and says that enough has come out tonight.
    - else: Dorte spreads a napkin under the first volume and looks for the entry about buns.
    }
    Henrike follows one line with her eyes and lets the page be turned.
* [Insist on a secret ballot]
    ~ ballot = "secret"
    {
    - minutes == "blame": Dorte goes round with her hat and makes the pilot shield his pencil like a schoolboy.
    - minutes == "eyes": Dorte says that he learns rather late tonight to keep a thing covered, and dims the lamp.
    - else: Dorte turns the chairs back to back, so that nobody can see a neighbour's pencil.
    }
    Henrike builds a wall of two schoolbooks round her slip and writes behind it.
* [Leave before the slips are counted]
    ~ ballot = "left"
    ~ opinion = MAX(opinion - 1, 0)
    {
    - minutes == "blame": Dorte calls after Joonas that innocent people stay for the buns.
    - minutes == "eyes": Dorte holds the door open for Joonas, wider than it needs to be.
    - else: Dorte lays his paper aside and asks whether an empty chair has a vote.
    }
    Henrike's stick falls over in the draught from the door, and nobody bends down for it.
- -> keys_scene

=== proof_scene ===
Mirela holds a wet proof by two corners, and the headline says Nine Thousand Gone. # present: Joonas, Mirela
The press is already warm, and a boy with ink on his nose waits for a sign.
Mirela: You have until the boy has finished his sausage, cousin.
* [Correct the sum and nothing else]
    ~ proof = "sum"
    {
    - desk == "pages": Mirela says that Radovan sent her the same figure by noon, with a compliment.
    - summons == "vesna": Mirela mends the one figure and asks whether the skipper in there can count as well.
    - else: Mirela puts a comma where a dot was and waits for more with her pencil up.
    }
    The boy shrugs at so small a change and bites the sausage in half.
* [Give Mirela the story without names]
    ~ proof = "nameless"
    {
    - desk == "pages": Mirela numbers the people from one to five and asks which number has met Nordkai.
    - summons == "vesna": Mirela calls everybody X, even the skipper who must be shouting in the schoolhouse by now.
    - else: Mirela draws a dash wherever a person belongs, until the sheet looks like a fence.
    }
    Joonas tells it with the words a friend, a chair and a winter.
* [Dictate Radovan's offer for page one]
    ~ proof = "dictated"
    {
    - desk == "pages": Mirela writes the salary in large figures and the price of coal under it, for comparison.
    - desk == "probed": Mirela puts the company's list of questions in a box, right under the salary.
    - else: Mirela takes it down word for word and underlines the name of the company.
    }
    The boy forgets the sausage and wants to hear the salary once more.
- -> headline_scene

=== headline_scene ===
Mirela: The words are settled, but somebody must still decide what goes on top. # present: Joonas, Mirela
Mirela lays three lines of lead side by side on the stone and steps back.
* [Choose the headline with the question]
    ~ headline = "question"
    {
    - proof == "nameless": Mirela says that a story without names deserves a title without an answer.
    - proof == "dictated": Mirela turns the big curled mark on the stone until it points at Nordkai.
    - else: Mirela says that a hook with a dot costs the same and sells better.
    }
    The boy hunts through the case for the curled mark and whistles through his teeth.
* [Choose the headline with the ferry]
    ~ headline = "ferry"
    ~ opinion = MIN(opinion + 1, 2)
    {
    - proof == "nameless": Mirela looks for the old woodcut of the boat and blows on it.
    - proof == "dictated": Mirela says that the boat beside that offer will look like a swan beside a butcher.
    - else: Mirela shrugs and says that people do like boats in the spring.
    }
    The boy asks for a copy for his grandmother, who crosses on it twice a week.
* [Leave the headline to Mirela]
    ~ headline = "mirela"
    ~ opinion = MAX(opinion - 1, 0)
    {
    - proof == "nameless": Mirela hesitates over all three lines and asks the boy which one he would buy.
    - proof == "dictated": Mirela sweeps all three lines aside, takes larger letters and asks Joonas to stand back.
    - else: Mirela takes the line that was there at the beginning.
    }
    The boy looks at Joonas, who does not object, and pulls the lever.
- -> keys_scene

=== keys_scene ===
Henrike puts the office keys on the table on Wednesday and lets Joonas look at them. # present: Joonas, Henrike, Mirela
{summons == "beside": The baker asks Joonas who set the pace across the square on Tuesday, the clips or the stick.}
{summons == "alone": Four volumes have come back to Joonas by handcart, with bun crumbs between March and April.}
{summons == "vesna": Half the fjord quotes to Joonas what the skipper called the retired pilot.}
{summons == "apologies": The minutes record in Henrike's hand, underlined twice, that the treasurer was elsewhere.}
{minutes == "eyes": A mechanic's cap hangs on the office door, and the note inside tells Joonas to keep it.}
{minutes == "blame": A jar of last year's cherries stands on Joonas's blotter, and the label is in green ink.}
{minutes == "wait": A desk lamp burned on the hill all night, and the porter describes it to Joonas.}
{proof == "sum": The weekly lies on Joonas's table with one number circled, and eleven letters beside it.}
{proof == "nameless": An envelope from an unknown reader holds ten, as Joonas finds, and the words for a friend.}
{proof == "dictated": A lawyer's visiting card is clipped to the newspaper that Joonas finds on the table.}
{opinion == 2: A bunch of leeks from the market lies on Joonas's doormat, without a bill.}
{opinion == 0: A motorcycle has been chalked on every single step up to Joonas's door.}
Mirela has come for a statement and is looking at the ceiling.
Henrike: The members would like to know who holds these until Sunday.
* [Keep the keys until the meeting]
    ~ keys = "kept"
    {
    - opinion == 2: Mirela says that the whole square would have left him the ring, and turns a page.
    - opinion == 0: Mirela asks the ceiling how one spells stubborn, and sharpens her pencil for it.
    - else: Mirela looks from his closed hand to Henrike, who gives no sign, and notes the hour.
    }
    Joonas closes his hand over the keys, and they are cold.
* [Entrust the keys to Vesna]
    ~ keys = "vesna"
    {
    - summons == "vesna": Mirela says that the skipper will soon be running the whole town, and Henrike coughs.
    - opinion == 0: Mirela wonders aloud when the square will call the wheelhouse a den of robbers.
    - else: Mirela asks Henrike whether the rules allow an office to cross the water twice a day.
    }
    Joonas puts the keys into an envelope and addresses it to the wheelhouse.
* [Share the keys with Henrike]
    ~ keys = "shared"
    {
    - henrike_joonas == 2: Henrike takes one of them off the ring with a hairpin and hands Joonas the rest.
    - henrike_joonas == 0: Henrike asks whether half of it is really for her, and looks Joonas in the face again.
    - else: Henrike ties the smaller one to her stick with wool and thanks him by his first name.
    }
    ~ henrike_joonas = MIN(henrike_joonas + 1, 2)
    Mirela writes down the word both and draws a line under it.
* {opinion == 0} [Resign and push the keys back]
    ~ keys = "resigned"
    Henrike leaves the ring where it lies and asks who is to sign for the diesel now.
    Mirela shuts her notebook and asks what she is to say to his mother.
-
{ballot == "open": The retired pilot comes up the stairs, asks Joonas for page forty and stays for an hour.}
{ballot == "secret": It was five to four, the retired pilot tells Joonas on the stairs, and he says for whom.}
{ballot == "left": From the doorway the retired pilot looks at Joonas's chair and measures it with his eyes.}
{headline == "question": A schoolboy comes up the stairs and asks Joonas, for homework, what the answer is.}
{headline == "ferry": A schoolboy brings Joonas a box of coins from the third form, for diesel.}
{headline == "mirela": Joonas is stared at by a schoolboy on the landing, who asks how fast the motorcycle goes.}
{keys == "resigned": -> ending_leaves}
-> bench_scene

=== bench_scene ===
Henrike sits on the bench behind the school, where she has watched forty years of breaks. # present: Joonas, Henrike
{desk == "declined": Radovan has been seen at lunch with two members of the committee and a third bottle.}
{desk == "probed": Radovan has asked the bank for an appointment and named Joonas as the reason.}
{desk == "pages": Radovan has put a placard in the hotel window with the yearly cost of the old stove.}
{desk == "letter": Radovan has had every other copy of a certain offer collected from the houses on the quay.}
Henrike: I did it with one signature, Joonas, and now I cannot find one that undoes it.
* [Ask Henrike to tell the members herself]
    ~ bench = "members"
    {
    - henrike_joonas == 2: Henrike agrees to stand up on Sunday, if Joonas sits where she can see him.
        ~ henrike_speaks = true
    - henrike_joonas == 0: Henrike stands up and says that treasurers do not send her to the blackboard.
    - else: Henrike says that she has never spoken without notes and has lost her notes.
    }
    Joonas brushes the leaves from the other half of the bench.
* [Promise to keep Henrike's name out]
    ~ bench = "name"
    {
    - henrike_joonas == 2: Henrike weeps without moving her face and says that he should not have to lie for her.
    - henrike_joonas == 0: Henrike takes out her purse to pay for it, puts it away and gives him her hand.
    - else: Henrike counts the windows of the school and thanks him for his silence at the ninth.
    }
    ~ henrike_joonas = MIN(henrike_joonas + 1, 2)
    Joonas knows that he has just become the owner of a nine and three noughts.
* [Leave the decision to Henrike]
    ~ bench = "decision"
    {
    - henrike_joonas == 2: Henrike straightens her back and says that then it is made.
        ~ henrike_speaks = true
    - henrike_joonas == 0: Henrike says that it was never anybody else's, and looks past him.
    - else: Henrike remarks that at school she only marked the answers, and never had to give one.
    }
    Joonas stays until the caretaker has locked the bicycle shed.
-
{keys == "kept": A second lock has been fitted to the office door, and the smith sends Joonas the bill.}
{keys == "vesna": A heavy envelope comes back to Joonas with a rope knot round it and no comment.}
{keys == "shared": A drawer in the office that was empty on Monday holds February again, as Joonas finds.}
-> call_scene

// ---------------------------------------------------------------- Chapter 5: fog

=== call_scene ===
Fog lies on the fjord on Thursday evening, and by nine Hovra cannot see its own jetty. # chapter: 5 # protagonist: Vesna # present: Vesna, Sunniva
{sunniva_vesna == 2: Sunniva has put Vesna's bowl on the warm side of the stove, as on every evening.}
{sunniva_vesna != 2: Sunniva eats her bread standing up, with one ear at the weather report.}
The pastor telephones that Henrike has fallen on the church steps and cannot stand.
Sunniva reads Emeric's form aloud, as far as the words by daylight only.
* [Cast off against Emeric's order]
    ~ call = "defied"
    {
    - sunniva_vesna == 2: Sunniva unties the bow line before Vesna has found her boots.
    - else: Sunniva asks what a lost licence costs these days, and follows Vesna to the boat.
    }
    Vesna takes Emeric's form off its nail and turns it to the wall.
* [Wake Emeric and ask for leave]
    ~ call = "leave"
    {
    - sunniva_vesna == 2: Sunniva dials the inspector's bedroom at once and holds out the receiver when somebody yawns.
    - else: Sunniva says that sleepy inspectors only know the word no, and sits down on the stairs.
    }
    Vesna hears Emeric put on his glasses before he answers, and then a long breath.
* [Telephone Radovan for the fast launch]
    ~ call = "launch"
    ~ opinion = MAX(opinion - 1, 0)
    {
    - deal == "owed": Sunniva reckons that this will cost a second handshake, and finds the card with the number.
    - sunniva_vesna == 2: Sunniva looks up the hotel for Vesna and reads the number out, figure by figure.
    - else: Sunniva doubts that a white boat sees more than theirs, and stares into the fog.
    }
    Vesna lets Radovan finish his sentence about neighbours and then gives him the position.
* [Fetch the doctor from his card game]
    ~ call = "doctor"
    {
    - sunniva_vesna == 2: Sunniva drags the man away from his trumps by the braces and lets Vesna take the bag.
    - else: Sunniva stays in the inn door and counts aloud how many tricks he still wants to win.
    }
    Vesna lays two wet cards face down on the table and promises the doctor another evening.
-
{bench == "members": The pastor's boy has heard somebody practising sentences between the graves, and he knows them too.}
{bench == "name": The pastor has been asked, as Sunniva heard, what becomes of a debt that another man carries.}
{bench == "decision": An old lady was seen on the church wall, Sunniva heard, tossing a coin and pocketing it unread.}
-> crew_scene

=== crew_scene ===
Kasimir stands on the jetty with a storm lamp, in his good coat and his slippers. # present: Vesna, Sunniva, Kasimir
{kasimir_speaks: Kasimir takes Vesna's sleeve with his free hand, as he has done on every dark morning this week.}
{not kasimir_speaks: Kasimir stops by the mooring post and nods to Vesna, as to any skipper.}
Kasimir: In fog nobody can see, Vesna, so for once I am as good as the rest of you.
* [Put Kasimir at the engine]
    ~ crew = "engine"
    {
    - kasimir_speaks: Kasimir hangs his glasses on a bollard and says that he never needed them down there.
    - else: Kasimir buttons himself up to the chin and climbs down to his pumps without a word.
    }
    Sunniva hands the lamp down after him and leaves the hatch open.
* [Put Kasimir at the bow to listen]
    ~ crew = "bow"
    {
    - kasimir_speaks: Kasimir laughs, ties himself to the rail and asks Vesna for silence.
    - else: Kasimir says that a figurehead usually has more bosom, and goes forward.
    }
    Sunniva stuffs a rag into the horn for his sake and goes to the engine.
* [Give Sunniva the engine alone]
    ~ crew = "alone"
    {
    - sunniva_vesna == 2: Sunniva salutes Vesna, borrows the old man's lamp and is below before he can speak.
    - else: Sunniva asks twice whether that is true, hugs Vesna and jumps down the hatch.
    }
    ~ sunniva_vesna = 2
    Kasimir sits down on a crate on the jetty and calls after her which valve sulks.
* [Ask Kasimir to stay ashore]
    ~ crew = "ashore"
    {
    - kasimir_speaks: Kasimir says that slippers are no sea boots, and shuffles home to sit by the telephone.
    - else: Kasimir says good evening and feels his way home along the fence, without the lamp.
    }
    ~ kasimir_speaks = false
    Sunniva looks after the slippers and then goes down to the engine.
-
{call == "defied": The harbour radio calls the ferry twice by its name, and Vesna turns down the sound.}
{call == "leave": The harbour radio reads Vesna the position of every boat at anchor, slowly and twice.}
{call == "launch": The harbour radio tells Vesna of a strong motor that has lost the channel off the point.}
{call == "doctor": The harbour radio promises Vesna an ambulance with a splint, by order of a grumpy voice.}
{crew == "engine" or crew == "bow": -> bilge_scene}
-> stretcher_scene

=== bilge_scene ===
Henrike lies on the cabin bench halfway across the fjord, and the beat becomes a knock. # present: Vesna, Sunniva, Kasimir, Henrike
Kasimir: Stop her, Vesna, there is something in it that does not belong.
Henrike says from under three coats that she can wait, and her teeth chatter.
* [Stop the engine at Kasimir's word]
    ~ bilge = "stopped"
    {
    - crew == "bow": Kasimir is at the stern, hand over hand along the rail, before the shaft lies still.
    - kasimir_speaks: Kasimir listens once more into the quiet and has his arm in the water at once.
    - else: Kasimir gropes under the stern with the boathook, now that nothing turns there.
    }
    Sunniva hears it too in the quiet, a rope's end slapping against the hull.
* [Keep up the speed for Henrike]
    ~ bilge = "speed"
    {
    - crew == "bow": Kasimir beats on the rail with his fist until the bell rings by itself.
    - kasimir_speaks: Kasimir says that the shaft will not bear this for long, and holds the casing with both hands.
    - else: Kasimir swears at the bearing, which is smoking, and pours his cold tea over it.
    }
    Sunniva braces Henrike's shoulders while the cups walk along the shelf.
* [Let Sunniva read the dials for Kasimir]
    ~ bilge = "dials"
    {
    - crew == "bow": Kasimir shouts three questions aft, and the girl has an answer to each.
    - kasimir_speaks: Kasimir makes room on the engine box without being asked and calls the girl colleague.
    - else: Kasimir grumbles at the first number and works with the second.
    }
    Sunniva reads, Kasimir turns the valve by feel, and the knock grows softer.
- -> tow_scene

=== tow_scene ===
A white launch slides out of the fog, with Radovan at the rail and a rope in his hand. # present: Vesna, Sunniva, Kasimir, Henrike, Radovan
Radovan: A line, a blanket and no questions, Vesna, what do you say?
* [Accept the line from Radovan]
    ~ tow = "accepted"
    ~ opinion = MAX(opinion - 1, 0)
    {
    - bilge == "speed": Kasimir says from the hatch that it is just as well, for the bearing is gone.
    - bilge == "stopped": Kasimir says that he needed two minutes more and no tug, and turns up his collar.
    - else: Kasimir has Sunniva read him the name of the boat that is pulling them.
    }
    Radovan makes fast with a knot that Sunniva would have tied better.
* [Refuse the line and creep on]
    ~ tow = "refused"
    ~ opinion = MIN(opinion + 1, 2)
    {
    - bilge == "speed": Kasimir hears the launch drop back, crosses himself and feeds the bearing with butter.
    - bilge == "stopped": Kasimir holds up a cut piece of rope for Radovan to admire, and starts the engine.
    - else: Kasimir and Sunniva call out Vesna's no for her, both in one breath.
    }
    Radovan waits alongside for a while, and then the white hull is fog again.
* [Ask Radovan to light the channel]
    ~ tow = "light"
    {
    - bilge == "speed": Kasimir wishes aloud that somebody made a lamp for bearings as well.
    - bilge == "stopped": Kasimir has been told before, he says, that a lamp like that costs nothing.
    - else: Kasimir turns his face to the beam and says that he can see that much.
    }
    Radovan goes ahead with the searchlight and looks back rather often.
- -> landing_scene

=== stretcher_scene ===
Four men carry Henrike down the jetty on the vestry door, and she takes Vesna by the wrist. # present: Vesna, Sunniva, Henrike
Henrike: If I should miss Sunday, somebody must have it from me tonight.
Sunniva knocks on the pipe below to say that the engine is warm.
* [Write down Henrike's words]
    ~ stretcher = "written"
    {
    - henrike_speaks: Henrike dictates without a pause, as if from a page that she has long known.
    - bench == "name": Henrike begins with Joonas, who must not pay for it, and has to begin again.
    - else: Henrike corrects the first sentence twice before Vesna may put it on paper.
    }
    ~ henrike_speaks = true
    Vesna writes on the back of the tide table and asks how to spell instalment.
* [Tell Henrike to save her breath]
    ~ stretcher = "breath"
    {
    - henrike_speaks: Henrike murmurs that she has been sparing it for forty years, and then obeys.
    - bench == "name": Henrike gets as far as the boy's name, and then pulls the blanket over her own mouth.
    - else: Henrike lets go of Vesna's wrist and closes her lips.
    }
    Sunniva lays a finger to her lips and pushes a rolled jacket under Henrike's neck.
* [Ask Henrike what Kasimir has been told]
    ~ stretcher = "asked"
    {
    - henrike_speaks: Henrike answers that he believes in a fund, and that there is no fund.
    - bench == "name": Henrike says that the old man has heard nothing of a loan, and the treasurer of nothing else.
    - else: Henrike wants to hear first what the skipper believes, and who has been talking.
    }
    Vesna looks back at the jetty, where the storm lamp is only a stain.
- -> horn_scene

=== horn_scene ===
A horn answers the ferry from somewhere ahead, twice, and then a third time from the left. # present: Vesna, Sunniva, Henrike, Radovan
Radovan's voice calls across the water that his launch will gladly lead.
Vesna has one finger on the chart and cannot see the end of it.
* [Steer by Sunniva's ear alone]
    ~ horn = "ear"
    ~ opinion = MIN(opinion + 1, 2)
    {
    - crew == "ashore": Sunniva says that she wishes Kasimir were here, and listens as he does, with open mouth.
    - else: Sunniva stops the engine for ten heartbeats and points without hesitation.
    }
    Henrike holds her breath on the vestry door, so that nothing else can be heard.
* [Drop anchor until the fog thins]
    ~ horn = "anchor"
    {
    - stretcher == "written": Henrike asks to have her pages back and adds a line while there is time.
    - stretcher == "breath": Henrike opens her lips, thinks better of it and counts the idle minutes on her fingers.
    - else: Henrike says that waiting is something that she has taught to hundreds.
    }
    Sunniva rings the bell every minute and sings something between the strokes.
* [Follow the light of Radovan's launch]
    ~ horn = "follow"
    ~ opinion = MAX(opinion - 1, 0)
    {
    - stretcher == "written": Henrike tucks the pages deeper into her glove and asks whose lamp that is.
    - stretcher == "breath": Henrike breaks her silence to say that she would sooner swim.
    - else: Henrike remarks that nothing is so expensive as a gift.
    }
    Sunniva keeps the bow on the white glow and calls out the depth for a mile.
- -> landing_scene

=== landing_scene ===
It is past midnight when the ferry touches the Ostervik quay, and half the town is awake. # present: Vesna, Sunniva, Henrike, Emeric, Kasimir, Dorte
{call == "defied": The man beside Emeric is carrying a chain, and neither of them says good evening.}
{call == "leave": Emeric waits in pyjamas and cape, and is still swinging the lamp that brought Vesna in.}
{call == "launch": Beside Emeric, who has a cape over his pyjamas, a photographer in a company jacket adjusts his flash.}
{call == "doctor": Emeric has brought two orderlies, who know already which hip it is.}
{crew == "engine": Kasimir climbs out of the hatch soaked to the waist, humming, with one slipper.}
{crew == "bow": Kasimir has shouted himself hoarse and taps his answers on the rail with a spoon.}
{crew == "alone": Sunniva comes up on deck with a burnt thumb and asks who has the log.}
{crew == "ashore": Kasimir has telephoned the quay eleven times, as the night porter tells Vesna.}
{bilge == "stopped": A cut length of blue rope is passed round on the quay, and Vesna is patted on the back.}
{bilge == "speed": Kasimir lays a cracked bearing on the quay, wrapped in his handkerchief like a bird.}
{bilge == "dials": Kasimir has Sunniva's pencil behind his own ear and will not hear of giving it back.}
{stretcher == "written": Henrike feels in her glove for something folded before she lets herself be lifted.}
{stretcher == "breath": Henrike has not looked at Vesna since the second buoy, and is lifted in silence.}
{stretcher == "asked": Henrike makes the bearers promise that nobody will wake the old man before noon.}
Emeric asks in front of everyone who has answered for this crossing.
* [Take the whole blame before Emeric]
    ~ landing = "blame"
    ~ opinion = MIN(opinion + 1, 2)
    {
    - call == "leave": Emeric reminds Vesna, loudly enough, that he gave leave for it himself.
    - call == "defied": Emeric writes his report on the chain man's back, and one name is enough for it.
    - else: Emeric finds three lines for the guilty on his form, and strikes out two.
    }
    Dorte puts a blanket round Vesna's shoulders and asks the cape who made the fog.
* {crew == "engine" or crew == "bow"} [Let Kasimir explain it to Emeric]
    ~ landing = "explained"
    {
    - bilge == "speed": Kasimir reports that the bearing is broken, and so are his eyes, in that order.
    - bilge == "dials": Kasimir says into the lamp that he has four eyes now, and two of them are seventeen.
    - else: Kasimir admits that he cannot read a dial, and adds that tonight he needed none.
    }
    ~ kasimir_speaks = true
    Dorte passes her cigarette in front of his eyes, and only the smoke makes them blink.
* [Credit Sunniva before the crowd]
    ~ landing = "credit"
    {
    - call == "defied": Emeric says that the crossing was forbidden, and shakes the girl's hand all the same.
    - call == "launch": Emeric asks the photographer to turn round and take a picture of the girl instead.
    - else: Emeric lifts the lamp until it shines on a red cap, and touches his hood to it.
    }
    ~ sunniva_vesna = 2
    Sunniva takes a bow when Dorte starts to clap, and then hides in Vesna's jumper.
* [Follow the stretcher past Emeric]
    ~ landing = "followed"
    {
    - call == "leave": Emeric steps back to let Vesna through and takes off his hood.
    - call == "defied": Emeric calls a licence number after Vesna's back, and then calls it again.
    - else: Emeric opens his mouth, and the ambulance door closes on the answer.
    }
    Dorte has to answer for Vesna and does it with her arms.
-
{bilge == "stopped": Henrike asks out of the ambulance who heard it first, and Kasimir bends down to her.}
{bilge == "speed": Henrike wants to know from the ambulance what such a noise costs, and nobody tells her.}
{bilge == "dials": From the ambulance Henrike asks whose idea the two heads were, and somebody blushes.}
{stretcher == "written": Sunniva notices green ink on Vesna's cuff and asks what there was to sign.}
{stretcher == "breath": Sunniva picks up an empty glove and runs a few steps after the ambulance.}
{stretcher == "asked": Sunniva asks Vesna on the quay what kind of fund has no money in it.}
-> thermos_scene

=== thermos_scene ===
Joonas comes along the quay at dawn with a thermos flask and two cups on his handlebars. # present: Vesna, Joonas, Sunniva
{tow == "accepted": A picture in the city paper shows a white bow, a rope and, very small, Vesna.}
{tow == "refused": Two fishermen call Vesna the snail this morning, and lift their caps to her as they do.}
{tow == "light": A bill for forty minutes of electricity lies under Vesna's wheel, payable at once.}
{horn == "ear": Two fishermen ask Vesna this morning who taught her girl to find the second buoy.}
{horn == "anchor": Sunniva is asked at the bakery how a single mile can take three hours.}
{horn == "follow": The baker wants to hear from Sunniva what it feels like to be led home.}
Joonas: She is out of the operating room, and she has asked for a pen.
Sunniva is asleep on the life jackets with her boots on.
* [Tell Joonas what Henrike is afraid of]
    ~ thermos = "afraid"
    {
    - landing == "blame": Joonas fills both cups and says that one woman stands up and another fears to.
    - landing == "explained": Joonas says that if the old man can say it aloud, so can she.
    - else: Joonas screws the flask shut and asks whether that is why she wants the pen.
    }
    Vesna tells it to the water, which has gone quite flat.
* [Ask Joonas to think of Kasimir first]
    ~ thermos = "kasimir"
    {
    - landing == "explained": Joonas smiles and says that the old man has looked after himself, in front of everybody.
    - landing == "followed": Joonas wants to hear who sat with the old man, while Vesna sat in the hospital.
    - else: Joonas turns the cup round and wonders how one keeps an old man out of a sum.
    }
    Vesna says that a number can be corrected and an old man cannot.
* [Advise Joonas to delay the vote]
    ~ thermos = "delay"
    {
    - landing == "followed": Joonas finds an unanswered question on the quay reason enough to wait three months.
    - landing == "blame": Joonas says that a skipper under summons makes a poor argument for haste.
    - else: Joonas takes a rule book from his bicycle bag, and page nine is already marked.
    }
    Vesna drinks the coffee too hot and does not take back what she has said.
* [Send Joonas home to bed]
    ~ thermos = "bed"
    {
    - landing == "credit": Joonas lays his jacket over Sunniva first, and then he does as he is told.
    - landing == "followed": Joonas reminds Vesna that she has slept less than he has, on fewer chairs.
    - else: Joonas protests, yawns in the middle of it and has to laugh.
    }
    Vesna keeps the flask and promises to bring it on Sunday.
-
{landing == "blame": A summons is brought for the skipper, and Vesna finds private regrets in pencil at the foot.}
{landing == "explained": The regulations arrive for Vesna's mechanic in large print, with a ribbon round them.}
{landing == "credit": Emeric's messenger brings an entry form for the deck examination, with the fee already paid.}
{landing == "followed": A harbour man brings a padlock for the gangway and does not look Vesna in the eye.}
{landing == "followed" and opinion == 0: -> ending_sealed}
-> seats_scene

// ---------------------------------------------------------------- Chapter 6: any other business

=== seats_scene ===
A hundred and twelve members push into the school gymnasium on Sunday, and there are ninety chairs. # chapter: 6 # protagonist: Joonas # present: Joonas, Kasimir, Radovan, Dorte, Mirela, Vesna, Sunniva, Emeric
{opinion == 2: People whom Joonas hardly knows hold a path open for him through the crowd.}
{opinion == 1: Some people nod to Joonas as he squeezes through, and some study the wall bars.}
{opinion == 0: The talk dies down wherever Joonas squeezes through, and starts again behind him.}
{deal == "owed": Radovan catches Vesna's eye from the aisle and shakes his own hand, once, in the air.}
Joonas has chalk on his sleeve, the ledgers under his arm and a clear minute before the bell.
* [Seat Kasimir in the front row]
    ~ seats = "kasimir"
    {
    - kasimir_speaks: Kasimir takes Joonas's elbow without hiding it and asks how many steps.
    - else: Kasimir says that he can find a chair, and finds the third one he tries.
    }
    Vesna sits down behind Kasimir and puts a hand on the back of his chair.
* [Seat Radovan next to Dorte]
    ~ seats = "dorte"
    {
    - opinion == 2: Dorte pulls out a chair for the guest with her foot and offers him the largest slice.
    - opinion == 0: Dorte moves her handbag to make room for the pale coat and asks about the kitchen.
    - else: Dorte measures her neighbour from hat to shoe and then moves up by half a chair.
    }
    Radovan thanks Joonas and looks for another place, but there is none.
* [Give Mirela the table by the stage]
    ~ seats = "mirela"
    {
    - opinion == 0: Mirela says that from here she will hear every boo, and sharpens a pencil.
    - opinion == 2: Mirela spreads out her papers and says that up close he looks like a popular man.
    - else: Mirela lays out three pencils in a row and asks which of them he prefers.
    }
    Emeric, who has no vote, fetches a chair for himself and sits beside Mirela.
* [Greet every member at the door]
    ~ seats = "door"
    ~ opinion = MIN(opinion + 1, 2)
    Dorte prompts Joonas with first names from behind and is wrong about only two.
    Sunniva counts the handshakes and tells Vesna that some of them lasted.
-
{thermos == "afraid": Joonas finds a chair left free on the platform, with a walking stick laid across it.}
{thermos == "kasimir": A cushion and a glass of water wait for the mechanic, and Joonas will not say from whom.}
{thermos == "delay": A second agenda has appeared on the chairs, and Radovan asks who had it printed.}
{thermos == "bed": A pensioner pinches the treasurer's cheek and finds that he has some colour today.}
-> motion_scene

=== motion_scene ===
Radovan rises before the bell has faded and moves that the vote be taken at once. # present: Joonas, Kasimir, Radovan, Dorte, Mirela, Vesna, Sunniva, Emeric
{landing == "blame": Dorte has passed a hat round for a fine that nobody has fixed yet, and it is full.}
{landing == "explained": Dorte has put a reading lamp in the aisle, in case an old man wants it.}
{landing == "credit": Dorte has hung a school photograph over the coffee urn, with a paper flag.}
{landing == "followed": Dorte has told the hall who slept on two hospital chairs, and for how long.}
Radovan: Ninety-one thousand for a landing that leaks, and everybody is home for dinner.
* [Call for the accounts first]
    ~ motion = "accounts"
    {
    - seats == "dorte": Dorte pulls Radovan down by the sleeve and tells him to get his own sums out too.
    - opinion == 0: Dorte shouts that the column with the motorcycle is the one to begin with.
    - else: Dorte bangs on the urn with a ladle and says that a till is counted before it is sold.
    }
    Joonas opens the first ledger at the winter and finds that his hands are steady.
* [Ask Vesna to report on Thursday night]
    ~ motion = "report"
    {
    - deal == "owed": Vesna is hardly on her feet when Radovan asks what a handshake is worth on this coast.
    - landing == "followed": Vesna says that she cannot speak for a quay where she did not stop.
    - else: Vesna gets up in her navy jumper and tells it in nine sentences.
    }
    Sunniva mouths the last sentence along with her and looks at the floor.
* [Let Radovan speak before all others]
    ~ motion = "radovan"
    {
    - seats == "dorte": Dorte follows the promises with her lips and shakes her head at every sum.
    - seats == "mirela": Mirela moves her recorder to the edge of the table and smiles at the pale coat.
    - else: Mirela climbs on a chair at the back to see the slides with the yachts.
    }
    Radovan shows forty yachts in the evening sun, and somebody sighs.
* {deal == "filed"} [Read Nordkai's letter to the hall]
    ~ motion = "letter"
    ~ opinion = MIN(opinion + 1, 2)
    {
    - seats == "mirela": Mirela reaches up from the table and asks to photograph the signature.
    - seats == "dorte": Dorte asks Radovan whether kitchens are put in writing too, and moves her chair away.
    - else: Sunniva stands up at the word apprentice, and then her whole row does.
    }
    Radovan explains that the letter was meant kindly, and asks for a short recess.
-
{seats == "kasimir": Joonas is corrected from below the platform, by ear, and the hall has something to applaud.}
{seats == "dorte": Joonas sees that no more notes are passed to the wall bars, and that a certain cuff has cream on it.}
{seats == "mirela": Joonas sees a pencil raised just below him whenever he talks too fast, and slows down.}
{seats == "door": A whole bench hushes a shouter for Joonas, because he knew that her name has two s's.}
{motion == "accounts" or motion == "report": -> ledger_scene}
-> corridor_scene

=== ledger_scene ===
The page for February lies open on the lectern, and the gymnasium is so still that the ropes creak. # present: Joonas, Kasimir, Radovan, Dorte, Mirela, Vesna, Sunniva
Vesna looks at Kasimir, and Kasimir looks straight ahead, as he must.
* [State the sum and withhold the hand]
    ~ ledger = "sum"
    {
    - motion == "report": Vesna half rises from her chair and sits down again when Joonas does not go on.
    - kasimir_speaks: Kasimir waits for a name with his head on one side, and drums on his knee.
    - else: Kasimir breathes out when no name comes, and puts his chin on his chest.
    }
    Joonas says nine thousand, says that it will come back, and closes his mouth.
* [Name Henrike as the lender]
    ~ ledger = "named"
    {
    - kasimir_speaks: Kasimir says into the silence that she never asked for a receipt, and nor did he.
    - motion == "report": Vesna tells the hall which ward she lies in, and that visitors may come from two.
    - else: Kasimir gets up to go to her, turns the wrong way and is led out by Sunniva.
    }
    Joonas hears the name go from row to row to the wall bars.
* {kasimir_speaks} [Call Kasimir to the microphone]
    ~ ledger = "kasimir"
    ~ opinion = 2
    Kasimir walks up the four steps alone and speaks past the thing, not into it.
    Kasimir: It went into my eyes, all of it, and they are not worth the money.
* {henrike_speaks} [Read out Henrike's own statement]
    ~ ledger = "henrike"
    ~ opinion = 2
    Vesna brings a sheet in green ink to the lectern, and the hall knows that hand from school.
    Joonas reads slowly, and at the word wrong he has to read it twice.
- -> heckle_scene

=== heckle_scene ===
The retired pilot shouts from the wall bars that nine thousand is nine thousand. # present: Joonas, Kasimir, Radovan, Dorte, Mirela, Vesna, Sunniva
Radovan examines his fingernails and lets the hall get louder.
* [Invite the pilot up to the ledger]
    ~ heckle = "pilot"
    {
    - ledger == "sum": Mirela asks from her chair whether he may also see whose ink it is.
    - ledger == "named": Mirela tells the shouter as he passes that the woman who signed is not here.
    - else: Mirela makes room for the shouter on the steps and hands him her magnifying glass.
    }
    Joonas turns the lamp so that the pilot can see the column.
* [Let Dorte quiet the hall]
    ~ heckle = "dorte"
    {
    - ledger == "sum": Dorte shouts for order, and adds that she would like to know it too.
    - ledger == "named": Dorte looks at Joonas for some time before she picks up the ladle.
    - else: Dorte needs no ladle, because she is crying and everyone can hear it.
    }
    Joonas holds on to the lectern with both hands until he is heard again.
* [Ask Mirela to play the recording]
    ~ heckle = "recording"
    {
    - ledger == "sum": Mirela remarks that a tape is not an answer, and turns the knob as far as it goes.
    - ledger == "named": Mirela says that today is evidently the day for voices, and presses the key.
    - else: Mirela lays her thumb on the key and waits until the hall has stopped whispering.
    }
    Joonas watches the hall recognise Radovan's careful vowels, one row after another.
- -> floor_scene

=== corridor_scene ===
Radovan finds Joonas during the recess between the coat hooks and the drinking fountain. # present: Joonas, Radovan, Mirela, Dorte
Radovan: Nordkai puts back your nine thousand tonight, and you put in one good word.
Mirela is tying her shoelace a few steps away, and has been doing so for a while.
* [Turn the money down at full volume]
    ~ corridor = "volume"
    {
    - motion == "letter": Radovan puts a finger to his lips and says that one public reading a day is enough.
    - opinion == 0: Radovan says that they may all hear it, since nobody out there believes him anyway.
    - else: Radovan looks over his shoulder and sees eleven coats with people in them.
    }
    Mirela writes it down in capitals and lets the shoelace be.
* [Have Radovan repeat it for Mirela]
    ~ corridor = "repeat"
    {
    - seats == "mirela": Mirela says that she has a table for such things, and takes him by the sleeve.
    - motion == "letter": Mirela asks the pale coat whether this one is also available in writing.
    - else: Mirela stands up with the shoelace still open and the notebook too.
    }
    Radovan begins again, leaves out the nine thousand and is asked to put them back.
* [Beg Radovan for an hour to think]
    ~ corridor = "hour"
    {
    - motion == "letter": Radovan remarks that Joonas reads aloud faster than he makes up his mind.
    - opinion == 2: Radovan gives him ten minutes, and glances at the noise behind the door.
    - else: Radovan grants it with a pat on the sleeve, and has a little chalk on his glove.
    }
    Mirela sets her watch by the hall clock and goes back in.
- -> folder_scene

=== folder_scene ===
Dorte comes out of the cloakroom with Radovan's leather folder, which was left on a bench. # present: Joonas, Dorte, Emeric, Mirela
Dorte: It fell open, treasurer, I swear it, or it is about to.
* [Return the folder unopened]
    ~ folder = "returned"
    {
    - corridor == "hour": Dorte presses the clasp shut and asks whether that hour has made him so polite.
    - corridor == "volume": Dorte says that after so much shouting one may be allowed a peep, but she lets go.
    - else: Dorte wipes her thumbprints off the leather, groans and puts it back on its bench.
    }
    Emeric, at the fountain, lifts his paper cup to Joonas.
* [Let Dorte open the folder]
    ~ folder = "opened"
    {
    - corridor == "hour": Dorte reads out Joonas's own name, with a salary next to it.
    - corridor == "repeat": Dorte finds the sum that Mirela has just been told, with an older date.
    - else: Dorte finds no kitchen in it anywhere, and looks under the lining.
    }
    Emeric turns to face the wall and drinks his water very slowly.
* [Give the folder to Emeric]
    ~ folder = "emeric"
    {
    - corridor == "hour": Emeric asks Joonas whether there is anything in it that he would rather keep back.
    - corridor == "repeat": Emeric says that the press has told him already what to look for.
    - else: Emeric takes it between two fingers and asks Joonas for a witness.
    }
    Dorte crosses her arms and says that an inspector has no appetite.
- -> floor_scene

=== floor_scene ===
The caretaker sets a fish crate with a slot on the vaulting horse, and Joonas has the floor. # present: Joonas, Kasimir, Radovan, Dorte, Mirela, Vesna, Sunniva, Emeric
{motion == "accounts": Dorte's whole bench has the columns on its knees and is adding with its lips.}
{motion == "report": The hall has pushed the skipper's chair into the aisle, where she cannot escape being thanked.}
{motion == "radovan": A slide has jammed in the projector, and one yacht hangs upside down over Vesna's head.}
{motion == "letter": A blue sheet is still going from hand to hand, and Sunniva follows it with her eyes.}
{ledger == "sum": A voice from the back asks Joonas what colour the motorcycle is, and some people laugh.}
{ledger == "named": An old pupil in the third row has put on her coat and sits in it with folded hands.}
{ledger == "kasimir": An orange lies on the lectern for Joonas, peeled by somebody who did it without looking.}
{ledger == "henrike": Somebody has put a green pencil on every windowsill, and Joonas finds one in his pocket.}
{corridor == "volume": People who came in from the coats nod to Joonas as they take their seats.}
{corridor == "repeat": A lawyer from the county has been given the press seat and nods to Joonas.}
{corridor == "hour": A gold watch is held up for Joonas at the back of the hall, and then two fingers.}
* [Speak for the old landing]
    ~ floor = "landing"
    {
    - folder == "opened": Dorte holds up a page behind him with the price of a yacht berth on it.
    - heckle == "dorte": Dorte nods at every plank that he mentions and keeps the ladle on her knee.
    - heckle == "recording": Mirela lets the tape run on, so that his praise of the planks follows the other voice.
    - else: Vesna shuts her eyes, as she does for an engine, and nods when he comes to the ice.
    }
    ~ opinion = MIN(opinion + 1, 2)
    Joonas speaks for four minutes and mentions the school class on the ice.
* [Confess to three weeks of silence]
    ~ floor = "silence"
    {
    - folder == "returned": Emeric starts to clap for so late an answer, notices that he is alone and goes on.
    - heckle == "pilot": Mirela sees the retired pilot take off his cap to a man who owns up, and writes it down.
    - else: Vesna counts back on her fingers to the day he took the post, and stops at twenty-one.
    }
    Joonas says that he was careful, and that careful is a word for afraid.
* [Give the floor to Sunniva]
    ~ floor = "sunniva"
    {
    - landing == "credit": Sunniva goes up the steps two at a time, as someone does who has been clapped before.
    - ledger == "kasimir": Sunniva brings Kasimir along by the hand and speaks for both.
    - else: Sunniva looks round for Vesna, finds her and starts too fast.
    }
    Joonas sits down on the edge of the platform among the children.
* {thermos == "delay"} [Move that the vote be delayed]
    ~ floor = "delay"
    Radovan jumps up with his watch in his hand, and a hundred people shout at him to wait.
    Vesna raises her hand first, with the thermos flask in it.
-
{heckle == "pilot": The loudest man in the hall goes from row to row for Joonas, explaining subtraction.}
{heckle == "dorte": A small boy has charge of the ladle now and salutes Joonas with it.}
{heckle == "recording": Radovan's chair is empty, and a pale coat has gone from the hooks.}
{folder == "returned": Radovan checks a certain clasp, looks across at Joonas and lowers his eyes first.}
{folder == "opened": Radovan looks for something under his chair, and the whole row lifts its feet for him.}
{folder == "emeric": Radovan is asked to step outside for a minute, and an official stamp is heard.}
{floor == "delay": -> ending_postponed}
-> urn_scene

=== urn_scene ===
Joonas is the last to stand before the fish crate, and the slip in his hand is still blank. # present: Joonas, Kasimir, Radovan, Dorte, Mirela, Vesna, Sunniva, Emeric
Sunniva, who may not vote, has kept a tally of faces on her palm.
* [Write no to the sale]
    ~ urn = "no"
    Joonas presses so hard that the word can be read from the other side.
* [Write yes to the sale]
    ~ urn = "yes"
    Joonas writes the word small, folds it twice and does not look at Vesna.
* [Drop the slip in blank]
    ~ urn = "blank"
    Joonas lets go of the paper, and it takes longer to fall than it should.
-
Dorte tips the crate over on a gym mat, and Emeric counts aloud.
{floor == "landing": A gentleman from the yacht club asks Vesna, while the slips are counted, where one buys a season ticket.}
{floor == "silence": The retired pilot pats Joonas on the back before the tally is done, and it sounds like a slap.}
{floor == "sunniva": Someone passes a hat for a toolbox, and Kasimir drops his spanner into it.}
{opinion == 0: -> ending_sold}
{opinion == 1 and urn == "yes": -> ending_sold}
{opinion == 1 and urn == "blank": -> ending_postponed}
{ledger == "named": -> ending_cold}
{ledger == "kasimir" or ledger == "henrike": -> ending_open}
{ledger == "sum": -> ending_alone}
-> ending_quiet

// ---------------------------------------------------------------- Endings

=== ending_leaves ===
Joonas rides to the last ferry with a cardboard box on the handlebars, and nobody stops him. # ending: the-treasurer-leaves
Henrike watches from the hill until the lamp on the bicycle is too small to be sure of.
Radovan becomes very friendly with the next treasurer, and the landing is sold by midsummer.
-> END

=== ending_sealed ===
Emeric seals the wheelhouse on Friday afternoon, and there is nobody on the quay to speak against it. # ending: the-boat-is-sealed
Vesna hands over the wheel key and asks Emeric to sign for it.
Without a boat the members see no need for a landing, and Radovan needs no speech on Sunday.
-> END

=== ending_sold ===
Emeric reads out the result twice, and the second time it is still a sale. # ending: the-landing-is-sold
Vesna takes the flask under her arm and goes to tell the ferry.
Radovan offers Joonas his hand, and Joonas looks at it as at a number that will not come out.
-> END

=== ending_postponed ===
The hall resolves to think for three months, which in Ostervik is called a quick decision. # ending: the-vote-is-postponed
Radovan folds up the drawing of the yachts and asks for the way to the station.
Vesna and Joonas share what is left in the flask, and it is cold, and neither of them minds.
-> END

=== ending_cold ===
The members keep the landing, and in the applause Joonas looks for those who are not clapping. # ending: kept-at-a-cost
Henrike resigns from her hospital bed in two lines of blue ink and never mentions Joonas again.
Vesna brings Joonas to work across the fjord each morning and talks to him about the weather.
-> END

=== ending_open ===
The members keep the landing, and the hall stays on, because nobody wants to be the first to go. # ending: kept-in-the-open
Joonas writes nine thousand on the blackboard, and people come up with coins until it says eight.
Kasimir sits on the platform beside Henrike's empty chair and tells Sunniva which valve sulks.
-> END

=== ending_alone ===
The members keep the landing, and the gap in the reserve is entered under Joonas's name. # ending: the-treasurer-pays
Joonas sells his bicycle in the first month and says that he likes to walk.
Henrike comes out of hospital with a stick on either side and cannot look him in the face.
-> END

=== ending_quiet ===
The members keep the landing, and nobody ever asks Joonas for the page of February. # ending: kept-in-silence
Kasimir goes on counting notes into a tea tin, and Dorte goes on saying that it is tea.
Joonas locks the ledger away with two keys and crosses home with Vesna, who asks nothing.
-> END
