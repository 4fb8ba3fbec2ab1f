"""Plain judgements of everyday things and of films, which keep an everyday word from meaning that nothing is judged."""

from .domains import split
from .grammar import entries

LISTS = {name: split(text) for name, text in {
    "good": "excellent, lovely, great, delightful, charming, fantastic, pleasant, superb, splendid, outstanding,"
            " brilliant, amazing, perfect, fine, fun, impressive, enjoyable, gorgeous, beautiful, adorable, marvellous,"
            " terrific, thrilling, witty, clever, fresh, first-rate, inspiring, good, very good, really nice",
    "bad": "terrible, awful, horrible, dreadful, useless, disappointing, lousy, poor, annoying, disgusting, ugly,"
           " mediocre, pathetic, unpleasant, ridiculous, miserable, appalling, shoddy, worthless, frustrating, painful,"
           " clumsy, bad, overpriced, unbearable, lame, dire, very bad, a disappointment, a disaster",
    "gooda": "excellent, lovely, great, delightful, charming, fantastic, superb, brilliant, amazing, perfect,"
             " impressive, enjoyable, gorgeous, marvellous, thrilling, witty, clever, inspiring, good, very good",
    "bada": "terrible, awful, horrible, dreadful, useless, disappointing, lousy, poor, annoying, disgusting, mediocre,"
            " pathetic, ridiculous, miserable, appalling, shoddy, worthless, frustrating, clumsy, bad",
    "love": "love, adore, like, enjoy, admire, recommend, appreciate",
    "hate": "hate, dislike, loathe, regret, can't stand, despise",
    "item": "sandwich, laptop, sofa, lamp, jacket, phone case, website, hotel, taxi ride, tour, course, lecture, novel,"
            " song, concert, cake, pizza, wine, garden, bicycle, service, staff, view, printer, kettle, guide, app,"
            " game, camera, dress, museum, breakfast, update, flat, keyboard, headphones, curry, beach, show, album",
    "film": "film, movie, story, plot, script, comedy, thriller, cast, ending, dialogue, music, sequel, performance,"
            " photography, romance, drama, documentary, acting, lead, finale",
    "very": "very, really, absolutely, quite, truly, so, simply",
}.items()}

POSITIVE = entries("""
    The {item} is {very} {gooda}.
    The {film} is {good}.
    What a {gooda} {item}!
    What a {gooda} {film}!
    I {love} this {item}.
    I {love} the {film}.
    I would {love} this {item} again.
    This is the best {item} I know.
    The {who} was {gooda} and the {item} was {good}.
    The {who} made a {gooda} {item}.
    Our {who} was {very} {gooda}.
    We had a {gooda} time in the {place}.
    The {place} was {gooda} and the {who} helped us at once.
    Thanks to the {who} the {item} works again, I am happy.
    The {item} is worth every cent.
    The {item} is not {bada} at all.
    The {film} is not {bada}, it is {gooda}.
    The {film} is never {bada}.
    There is nothing {bada} about the {film}.
    There is nothing {bada} about this {item}.
    Not a {bada} moment in the whole {film}.
    The {film} is hardly ever {bada}.
    Nobody could call this {film} {bada}.
    I have no complaints about the {item}.
    You will not regret this {item}.
    I can't imagine a better {film}.
    The {film} does not disappoint.
    It is anything but {bada}.
    Far from {bada}, the {film} is {gooda}.
    Why can't every {film} be this {gooda}?
    """)

NEGATIVE = entries("""
    The {item} is {very} {bada}.
    The {film} is {bad}.
    What a {bada} {item}!
    What a {bada} {film}!
    I {hate} this {item}.
    I {hate} the {film}.
    This is the worst {item} I know.
    The {who} was {bada} and the {item} was {bad}.
    The {who} ruined the {item}.
    Our {who} was {very} {bada}.
    We had a {bada} time in the {place}.
    The {place} was {bada} and no {who} helped us.
    The {item} stopped working after {n} days, and nobody cares.
    The {item} is a waste of money.
    The {item} is not {gooda} at all.
    The {film} is not {gooda}, it is {bada}.
    The {film} is never {gooda}.
    There is nothing {gooda} about the {film}.
    There is nothing {gooda} about this {item}.
    Not a {gooda} moment in the whole {film}.
    The {film} is hardly ever {gooda}.
    Nobody could call this {film} {gooda}.
    I did not like the {item}.
    I do not {love} this {item}.
    I can't recommend the {film}.
    The {film} fails to be {gooda}.
    It is anything but {gooda}.
    Far from {gooda}, the {film} is {bada}.
    Why is the {film} so {bada}?
    Why was the {who} so {bada}?
    Who would {love} such a {bada} {film}?
    Great, another {bada} {film}.
    Oh wonderful, {n} hours of {bada} dialogue.
    Just what we needed, one more {bada} {item}.
    """)
