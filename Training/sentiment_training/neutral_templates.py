"""Templates of sentences without an opinion, and the lists that fill them besides a domain's words."""

from .domains import split
from .grammar import entries

LISTS = {name: split(text) for name, text in {
    "name": "Anna, Peter, Maria, Tom, Julia, Ahmed, Yuki, Olga, Paul, Ines, Ravi, Chen, Sara, Ben, Elif, Kofi, Marta,"
            " Luca, Nora, Samuel, Mrs Hill, Mr Brown, Dr Meyer, my brother, my neighbour, our teacher, the woman"
            " next door, the new tenant, their son",
    "they": "I, we, they, you, he, she, someone, both of them, most people, the others",
    "city": "Prague, Oslo, Lima, Osaka, Nairobi, Lyon, Boston, Porto, Dublin, Ankara, Seoul, Toronto, Krakow, Graz,"
            " Bergen, Lagos, Melbourne, Turin, Riga, Quito",
    "country": "Norway, Chile, Kenya, Japan, Poland, Portugal, Canada, India, Egypt, Austria, Vietnam, Mexico, Turkey,"
               " Finland, Peru, Morocco, Greece, Iceland",
    "day": "Monday, Tuesday, Wednesday, Thursday, Saturday, Sunday",
    "month": "January, March, April, June, July, August, October, November",
    "when": "yesterday, this morning, last week, on {day}, in {month}, at noon, two days ago, in {year}, before lunch,"
            " after the lesson, last {month}, on {month} {n}, at {clock}, every {day}, during the break",
    "future": "tomorrow, next week, on {day}, in {month}, tonight, at {clock}, in {n} minutes, next {day},"
              " this evening",
    "year": "1789, 1848, 1903, 1912, 1936, 1958, 1961, 1974, 1987, 1995, 1998, 2004, 2011, 2016, 2021",
    "n": "two, three, four, five, six, seven, nine, ten, twelve, fifteen, twenty, forty, 3, 8, 11, 14, 24, 30, 65",
    "big": "120, 250, 300, 480, 700, 1200, 2500, 4000, 18000, 35000, two hundred, a thousand, three million",
    "ordinal": "first, second, third, fourth, fifth, last, next",
    "clock": "six, seven, half past eight, nine o'clock, 10:30, noon, quarter to four, 5 pm, 18:45, midnight",
    "colour": "red, green, blue, yellow, brown, grey, black, white, orange",
    "size": "small, large, long, short, round, square, wide, narrow, tall, thin, flat, old, new, wooden, heavy, empty",
    "material": "oak, steel, glass, cotton, wool, clay, brass, paper, plastic, leather, concrete, silk, tin, marble",
    "food": "an apple, a sandwich, two eggs, some rice, a bowl of soup, a pear, bread and butter, a glass of milk,"
            " a plate of noodles, a cup of tea",
    "animal": "a horse, a frog, a whale, an ant, a bat, a snake, an eagle, a rabbit, a spider, a squirrel, a shark",
    "body": "mammal, bird, insect, reptile, fish, plant, metal, gas, mineral, planet, language, fruit, vegetable, tool",
    "science": "water freezes at zero degrees, the moon goes round the earth, plants take in carbon dioxide, a"
               " triangle has three sides, light is faster than sound, iron conducts electricity, bees make wax, salt"
               " dissolves in water, a year has twelve months, spiders have eight legs, sound travels through air, the"
               " heart pumps blood, cows eat grass, ice floats, gold does not rust, oil is lighter than water",
    "relation": "next to, behind, under, above, opposite, in front of, on top of, beside, between the door and, near",
    "verbing": "waiting, standing, sitting, sleeping, working, eating, walking, talking on the phone, reading a map,"
               " looking for {name}, getting off the bus, putting on a coat",
    "job": "{who}, dentist, teacher, engineer, baker, translator, shop owner, bus driver, student",
    "unit": "kilograms, metres, litres, euros, kilometres, hours, days, pages, pieces, grams, degrees, percent",
    "role": "director, lead actor, author, producer, composer, editor, cameraman, screenwriter",
    "work": "film, movie, novel, play, series, documentary, book, opera, short film, comedy, drama, western, thriller",
    "filmfact": "is based on a novel, was shot in {city}, lasts {n} minutes, opens in {month}, is set in {country},"
                " takes place in {year}, has {n} parts, was released in {year}, is about a {who}, is in black and"
                " white, has subtitles, is the {ordinal} part of a series, was written by {name}, runs for {n} hours,"
                " follows a {who} from {city}, tells of a {who} who moves to {city}, starts with a scene in a {place},"
                " stars {name} as a {who}, is rated for children over {n}, was filmed in {n} days",
    "course": "history, geography, chemistry, biology, mathematics, Spanish, law, medicine, music, economics",
    "vehicle": "the bus, the tram, the train, a taxi, the ferry, the underground, a plane, his bicycle",
    "app": "the settings, the menu, the start page, the address bar, the inbox, the account page, the toolbar",
    "button": "Save, OK, Next, Cancel, the blue button, the icon, the link, Print, the tab",
}.items()}

STATEMENTS = entries("""
    The {who} {did} the {thing}.
    The {who} {did} the {thing} {when}.
    The {who} {did} the {size} {thing} in the {place}.
    A {who} {did} the {thing} and put the {thing2} in the {place}.
    The {who} and the {who2} {did} {n} {thing2} {when}.
    {name} {did} the {thing} {when}.
    {name} is going to {do} the {thing} {future}.
    {they} usually {do} the {thing} in the {place}.
    The {thing} is {relation} the {thing2}.
    The {size} {thing} is in the {place}.
    The {thing} is made of {material}.
    The {thing} was moved from the {place} to the {place2}.
    There is a {thing} in the {place}.
    There are {n} {whos} in the {place}.
    There were about {big} people at the {place} {when}.
    It is a {thing}.
    This is a {size} {colour} {thing}.
    That is the {thing} from the {place}.
    My {thing} is {colour} and yours is {colour}.
    The {place} opens at {clock} and closes at {clock}.
    The {place} is {n} kilometres from {city}.
    The {place} is on the {ordinal} floor.
    The {place} was built in {year}.
    {name} works as a {job} in {city}.
    {name} lives in {city} with {n} {whos}.
    {name} was born in {city} in {year}.
    {name} went to the {place} {when}.
    {name} came home at {clock}.
    {name} is {verbing} in the {place}.
    {name} has {n} {unit} of {material}.
    {name} studied {course} in {city} and now works in {country}.
    {name} ate {food} and went to the {place}.
    {name} took {vehicle} to {city} {when}.
    {name} said that the {who} would {do} the {thing} {future}.
    {name} wrote to the {who} about the {thing}.
    {they} met a {who} at the {place} {when}.
    {they} need a {thing} and {n} {unit} of {material}.
    We saw {animal} near the {place}.
    I saw a {who} {when}.
    I have a {thing} at home.
    I left the {thing} in the {place}.
    I talked to the {who} about the {thing2}.
    The {who} is {verbing}.
    The {who} has been here for {n} years.
    The {who} carries the {thing} to the {place}.
    The {who} will {do} the {thing} {future}.
    The {who} did not {do} the {thing}, because the {place} was closed.
    The {who} never {did} the {thing} in the {place}.
    No {who} was in the {place} {when}.
    First the {who} {did} the {thing}, then the {who2} {did} it again.
    After work the {who} goes to the {place}.
    {animal} is not a {body}.
    {animal} was in the {place} {when}.
    In school we learned that {science}.
    As everybody knows, {science}.
    {science}.
    {city} is a city in {country}.
    {city} is north of {city}.
    {city} has about {big} thousand inhabitants.
    {country} has a border with {country}.
    {country} is larger than {country}.
    It takes {n} hours from {city} to {city}.
    The {ordinal} of {month} is a {day}.
    Today is {day}.
    It is {clock} now.
    It rained in {city} {when}.
    The temperature in {city} was {n} degrees {when}.
    The {thing} costs {big} euros.
    The {thing} weighs {n} kilograms.
    The price of the {thing} is {big} euros, the {thing2} costs {n}.
    The {thing} is {n} metres long and {n} metres wide.
    The {work} {filmfact}.
    It {filmfact}.
    This {work} {filmfact} and {filmfact}.
    The {work} about the {who} {filmfact}.
    A {work} about a {who} and a {who2} in {city}.
    {name} plays a {who} who works in a {place}.
    {name} is the {role} of the {work}.
    I watched a {work} about a {who} {when}.
    I went to the cinema {when}.
    The {ordinal} chapter is about the {place}.
    The {role} comes from {country}.
    The file was saved {when}.
    The update was installed on {n} computers {when}.
    The message was sent to {big} people.
    The meeting with the {who} is {future}.
    Your order of {n} {thing2} was shipped {when}.
    The train to {city} leaves from platform {n}.
    The flight to {city} leaves at {clock}.
    The course in {course} starts {future}.
    {n} of the {big} members were present.
    The {ordinal} page of the report lists the {thing2}.
    The council of {city} will discuss the {place} {future}.
    The government of {country} published the figures {when}.
    {country} held an election {when}.
    The {who} told reporters that the {place} will open {future}.
    The company from {city} has {big} employees.
    The {who} of the year comes from {country}.
    Some {whos} {do} the {thing} in {month}, others in {month}.
    One can {do} the {thing} with a {size} {thing2}.
    A {who} is a person who can {do} a {thing}.
    The word {thing} has {n} letters.
    He {did} the {thing}, she {did} the {thing2}.
    She had the {thing} in her bag.
    He went to the {place}.
    They sat in the {place} and waited for the {who}.
    """)

QUESTIONS = entries("""
    Did the {who} {do} the {thing}?
    Did {name} {do} the {thing} {when}?
    Will the {who} {do} the {thing} {future}?
    Who {did} the {thing}?
    Who is the {who} in the {place}?
    Where is the {thing}?
    Where did the {who} put the {thing}?
    Where can I find a {thing} in {city}?
    When does the {place} open?
    When will the {who} {do} the {thing}?
    When was the {place} built?
    What time does the {place} close on {day}?
    What is the {thing} made of?
    What is the name of the {who}?
    What colour is the {thing}?
    What does a {who} do in the {place}?
    What is the difference between a {thing} and a {thing2}?
    What is the capital of {country}?
    Which {thing} do you need?
    Which of the two is the {who}, {name} or {name}?
    Why did the {who} {do} the {thing} {when}?
    Why is the {thing} {colour}?
    How do I {do} a {thing}?
    How does a {who} {do} the {thing}?
    How many {unit} does the {thing} have?
    How many {whos} work in the {place}?
    How much does the {thing} cost?
    How far is it from {city} to {city}?
    How long does it take to {do} a {thing}?
    How old is the {who}?
    Is the {who} in the {place}?
    Is the {thing} {colour} or {colour}?
    Is there a {place} near here?
    Is it {day} today?
    Are there any {whos} in the {place}?
    Are you the {who} from {city}?
    Can you {do} the {thing} {future}?
    Can a {who} {do} a {thing} without a {thing2}?
    Could you send me the {thing} {future}?
    Do you know where the {place} is?
    Do you know if the {who} {did} the {thing}?
    Do you have a {thing} in your {place}?
    Does anyone here {do} the {thing}?
    Does the train to {city} stop here?
    Has the {who} been to the {place} {when}?
    Have you seen my {thing}?
    Have you seen the {work} about the {who}?
    Should we {do} the {thing} or the {thing2} first?
    Shall we meet at the {place} {future}?
    May I use the {thing}?
    Would {clock} be possible for the {who}?
    Who is the {role} of the {work}?
    Who wrote the {work}?
    When does the {work} start?
    Is it true that {science}?
    Is this {work} about a {who}?
    Are you coming to the {place} {future}?
    Is {animal} a {body}?
    Was {name} at the {place} {when}?
    Does {vehicle} go to {city}?
    How do I get to the {place}?
    """)

INSTRUCTIONS = entries("""
    {Do} the {thing}.
    {Do} the {thing} and bring it to the {place}.
    {Do} the {thing} before you {do} the {thing2}.
    Please {do} the {thing} {future}.
    Please ask the {who} to {do} the {thing}.
    Put the {thing} {relation} the {thing2}.
    Put the {thing} in the {place}.
    Do not {do} the {thing} in the {place}.
    Take the {ordinal} street on the left and go to the {place}.
    Turn left at the {place}.
    Open {app} and click {button}.
    To {do} the {thing}, open {app} and choose {button}.
    Wait {n} minutes, then {do} the {thing}.
    Use {n} {unit} of {material}.
    Call the {who} at {clock}.
    Send the {thing} to the {place} in {city}.
    Write your name on the {thing}.
    Keep the {thing} in a {size} box.
    Remember to {do} the {thing} {future}.
    See page {n} for the {thing2}.
    """)
