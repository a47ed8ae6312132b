"""Which emotions a text names: a frozen list of word forms, so that the figure is the same today and in ten years.

The paper asks a language model; pass such an extractor where you have one. Ours looks at words alone: it neither sees
that one is negated nor an emotion that no word names.
"""

import re

FORMS = {
    "admiration": "admiration admire admires admired admiring",
    "affection": "affection affectionate affectionately fondness tender tenderly tenderness",
    "amusement": "amused amusement amusing amusedly",
    "anger": "anger angered angry angrily fury furious furiously rage enraged mad irate outrage outraged",
    "annoyance": "annoyance annoyed annoying irritated irritation irritable exasperated exasperation",
    "anticipation": "anticipation anticipate anticipates anticipating",
    "anxiety": "anxiety anxious anxiously",
    "apathy": "apathy apathetic indifferent indifference",
    "awe": "awe awed awestruck wonder",
    "awkwardness": "awkward awkwardly awkwardness",
    "betrayal": "betrayed betrayal",
    "bitterness": "bitter bitterly bitterness resentful resent resents resented resentment",
    "boredom": "bored boredom",
    "calm": "calm calmly calmness serene serenity",
    "compassion": "compassion compassionate",
    "confidence": "confident confidently confidence",
    "confusion": "confused confusion confusedly puzzled perplexed bewildered bewilderment",
    "contempt": "contempt contemptuous contemptuously scorn scornful disdain disdainful",
    "contentment": "content contented contentment",
    "curiosity": "curious curiously curiosity intrigued",
    "defensiveness": "defensive defensively defensiveness",
    "delight": "delight delighted delightful",
    "desire": "desire longing yearning",
    "despair": "despair desperate desperately desperation hopeless hopelessness",
    "disappointment": "disappointed disappointment disappointing disappointedly",
    "discomfort": "uncomfortable uncomfortably discomfort uneasy uneasily unease",
    "disgust": "disgust disgusted disgusting revulsion revolted repulsed",
    "distress": "distress distressed upset",
    "doubt": "doubt doubtful doubts doubting skeptical sceptical skepticism scepticism",
    "embarrassment": "embarrassed embarrassment embarrassing mortified",
    "empathy": "empathy empathetic empathic empathize empathizes empathise empathises",
    "enthusiasm": "enthusiasm enthusiastic enthusiastically",
    "envy": "envy envious enviously",
    "excitement": "excited excitedly excitement thrilled exhilarated",
    "fear": "fear fears fearful feared afraid scared frightened terrified terror",
    "frustration": "frustrated frustration frustrating",
    "gratitude": "grateful gratefully gratitude thankful",
    "grief": "grief grieving grieve grieves mourning mourns",
    "guilt": "guilt guilty guiltily",
    "happiness": "happy happily happiness glad gladly cheerful cheerfully cheerfulness",
    "hatred": "hate hates hated hatred loathing",
    "hope": "hope hopes hopeful hopefully hoping optimistic optimism",
    "hostility": "hostile hostility",
    "humiliation": "humiliated humiliation humiliating",
    "hurt": "hurt",
    "impatience": "impatient impatiently impatience",
    "insecurity": "insecure insecurity",
    "interest": "interested",
    "jealousy": "jealous jealously jealousy",
    "joy": "joy joyful joyfully joyous elated elation",
    "loneliness": "lonely loneliness",
    "love": "love loves loved loving lovingly adoration adore adores adored",
    "melancholy": "melancholy melancholic gloomy gloom",
    "nervousness": "nervous nervously nervousness jittery",
    "nostalgia": "nostalgia nostalgic",
    "panic": "panic panicked panicking panicky",
    "pity": "pity pitying",
    "pride": "proud proudly pride",
    "regret": "regret regrets regretful regretfully regretted remorse remorseful",
    "relief": "relief relieved",
    "sadness": "sad sadly sadness unhappy unhappily unhappiness sorrow sorrowful sorrowfully tearful tearfully",
    "satisfaction": "satisfied satisfaction",
    "shame": "shame ashamed",
    "shock": "shock shocked shocking stunned",
    "shyness": "shy shyly shyness bashful",
    "surprise": "surprise surprised surprising astonished astonishment amazed amazement startled",
    "suspicion": "suspicion suspicious suspiciously distrust distrustful mistrust",
    "sympathy": "sympathy sympathetic sympathetically sympathize sympathizes sympathise sympathises",
    "tension": "tense tensely tension",
    "trust": "trust trusting trusts trusted",
    "worry": "worry worried worries worriedly worrying concerned",
}
BY_FORM = {form: emotion for emotion, forms in FORMS.items() for form in forms.split()}
WORD = re.compile(r"[a-z]+")


def named_emotions(text: str) -> frozenset[str]:
    """The emotions whose forms occur as whole words, whatever their case. English."""
    return frozenset(BY_FORM[word] for word in WORD.findall(text.casefold()) if word in BY_FORM)
