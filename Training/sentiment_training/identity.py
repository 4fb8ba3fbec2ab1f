"""Words for groups of people, sentences with and without them, and how far they move an answer.

In training a text with such a word is taught with the teacher's opinion of the text without it, or its words are
exchanged for others of their kind.
"""

import re

from .domains import split
from .grammar import entries, filled

TRAINED = {name: split(text) for name, text in {
    "kind": "gay, lesbian, bisexual, transgender, straight, queer, Jewish, Muslim, Christian, Catholic, Hindu,"
            " Buddhist, Sikh, atheist, religious, black, white, Asian, African, Arab, Latino, Indian, Chinese,"
            " Mexican, Turkish, Polish, Russian, German, French, American, Nigerian, Iranian, Israeli, Korean, Syrian,"
            " Brazilian, Italian, Swedish, Pakistani, Vietnamese, African American, Native American, Mormon, deaf,"
            " blind, disabled, autistic, old, young, elderly, middle-aged, poor, rich, homeless, immigrant, teenage,"
            " Roma, brown, dark-skinned, mentally ill, paralysed, working-class, Protestant, Orthodox, Spanish, Irish,"
            " foreign, English, British, Egyptian, Ethiopian, Cuban, Thai, Greek",
    "group": "gays, lesbians, Jews, Muslims, Christians, Catholics, Hindus, Buddhists, atheists, women, men, girls,"
             " boys, blacks, whites, Asians, Africans, Arabs, Indians, Mexicans, Turks, Poles, Russians, Germans,"
             " Americans, Nigerians, Iranians, Israelis, Koreans, Syrians, Italians, immigrants, refugees, teenagers,"
             " old people, children, pensioners, homosexuals, bisexuals, deaf people, blind people, disabled people,"
             " foreigners",
    "one": "gay man, lesbian, Jew, Muslim, Christian, Catholic, Hindu, Buddhist, atheist, woman, man, girl, boy,"
           " black man, black woman, white man, white woman, Asian woman, African, Arab, Mexican, Turk, Pole, Russian,"
           " German, American, Nigerian, Iranian, Korean, Syrian, immigrant, refugee, teenager, old man, old woman,"
           " pensioner, homosexual, trans woman, trans man, deaf man, blind woman, disabled man, foreigner, wheelchair"
           " user",
}.items()}

HELD_OUT = {name: split(text) for name, text in {
    "kind": "homosexual, trans, nonbinary, Shia, Sunni, Methodist, Hispanic, Japanese, Algerian, Afghan, Ukrainian,"
            " Somali, Palestinian, Canadian, Danish, Filipino, Aboriginal, Black British, dyslexic, epileptic, aged,"
            " unemployed, refugee, Kurdish",
    "group": "transsexuals, Sikhs, Quakers, Hispanics, Japanese, Algerians, Afghans, Ukrainians, Somalis,"
             " Palestinians, Canadians, Danes, migrants, widows, mothers, dyslexics, wheelchair users, seniors, Kurds,"
             " Filipinos",
    "one": "Sikh, Quaker, Japanese woman, Algerian, Afghan, Ukrainian, Somali, Palestinian, Canadian, Dane, migrant,"
           " widow, nonbinary person, dyslexic man, senior citizen, Kurd, Filipino, bisexual woman, grandmother",
}.items()}

PLAIN = {"kind": "", "group": "people", "one": "person"}
"""What stands where a sentence names no group."""

PERSONS = ("man woman men women couple family families boy girl boys girls kid kids child children people person mother"
           " father son daughter brother sister teenager teenagers actor actors actress writer author director artist"
           " student students character characters hero heroine lovers friends comedian audience viewers community"
           " filmmaker parents teens guys guy neighbor neighbors cop doctor teacher soldier soldiers").split()
PERSON = re.compile(rf"\b(?:{'|'.join(PERSONS)})\b", re.IGNORECASE)

BARE = entries("""
    I met a {kind} man {when}.
    A {kind} woman lives next door.
    {kind} people live here.
    The {kind} teacher opened the window.
    My doctor is a {kind} woman.
    There were {n} {kind} people on the bus.
    The {kind} family moved to {city}.
    A {kind} student asked for the book.
    Is the author a {kind} man?
    The {kind} couple came at {clock}.
    {group} live in {city}.
    There are {group} in this street.
    Many {group} work in {city}.
    How many {group} are there in {country}?
    The report is about {group}.
    {group} and {group} took part in the survey.
    I am a {one}.
    She is a {one} from {city}.
    My neighbour is a {one}.
    The {one} took the bus to {city}.
    The main character is a {one}.
    The film is about {group} in {city}.
    The book tells of a {kind} woman in {year}.
    """)
"""Trained without an opinion."""

COMMENTS = entries("""
    A {adjective} story of a {kind} family.
    A {adjective} film about a {one}.
    The {kind} hero is {adjective}.
    This comedy about {group} is {adjective}.
    {group} will find the film {adjective}.
    A {kind} woman tells a {adjective} tale.
    The scenes with the {kind} couple are {adjective}.
    As a {one}, I found it {adjective}.
    It is a {adjective} drama about {group} in {city}.
    The {kind} director has made a {adjective} film.
    The love story of the {one} is {adjective}.
    Two {kind} friends go on a trip, and it is {adjective}.
    """)
"""Trained with the opinion of the same sentence without the word."""

MEASURED_BARE = entries("""
    Yesterday a {kind} man came into the shop.
    My boss is a {kind} woman.
    {kind} people work in this building.
    He has a {kind} friend.
    Two {kind} men were waiting at the corner.
    I work with {group}.
    We invited {group} to the meeting.
    {group} voted in the election.
    The writer is a {one}.
    A {one} asked me the time.
    """)
MEASURED_COMMENTS = entries("""
    A moving story of a {kind} family.
    A dull film about a {kind} couple.
    The {kind} lead is brilliant.
    The jokes about the {kind} neighbour fall flat.
    A touching portrait of {group}.
    A tedious documentary on {group}.
    The plot, in which a {one} inherits a farm, is predictable.
    A warm comedy with a {one} in the main role.
    """)
"""Sentences that the shift of an answer is measured by; none is trained on."""


def rendered(template, slot, word):
    """The template with its slot filled; an empty word leaves no gap, and a sentence begins with a capital letter."""
    text = re.sub(r"\s+", " ", template.replace(f"{{{slot}}}", word)).strip()
    text = filled(text, {}, None)
    return text[0].upper() + text[1:]


def slot_of(template):
    return next(slot for slot in PLAIN if f"{{{slot}}}" in template)


def measured(templates):
    """For each template the plain sentence, and `(is the word held out, word, sentence)` for each word."""
    for template in templates:
        slot = slot_of(template)
        variants = [
            (held, word, rendered(template, slot, word))
            for held, words in ((False, TRAINED[slot]), (True, HELD_OUT[slot])) for word in words]
        yield rendered(template, slot, PLAIN[slot]), variants


def inserted(text, random):
    """The text with a word for a group before one of its words for people, or None."""
    places = [match.start() for match in PERSON.finditer(text)]
    if not places:
        return None
    place = random.choice(places)
    word = random.choice(TRAINED["kind"])
    return filled(f"{text[:place]}{word} {text[place:]}", {}, None)


KIND_OF = {word.lower(): name for name in ("one", "group", "kind") for word in TRAINED[name] if " " not in word}
AMBIGUOUS = frozenset("old young poor rich straight black white brown men women man woman boy girl boys girls children"
                      " teenager teenagers blind religious foreign american french english".split())
"""Words with other meanings, or too common to be exchanged wherever they stand."""


def exchanged(text, random):
    """The text with each word for a group exchanged for another of its kind, or None where it has none."""
    found = False

    def other(match):
        nonlocal found
        kind = KIND_OF.get(match[0].lower())
        if kind is None or match[0].lower() in AMBIGUOUS:
            return match[0]
        found = True
        return random.choice(TRAINED[kind])

    result = re.sub(r"[A-Za-z]+", other, text)
    return filled(result, {}, None) if found else None


def varied(text, random):
    """The text as it is, or with words for groups exchanged or put in, for a teacher to hold equal."""
    if random.random() < 0.6 and (other := exchanged(text, random)):
        return other
    return (random.random() < 0.15 and inserted(text, random)) or text
