"""Sentences without an opinion that measure the model: from templates and words that are trained in no neutral one,
and written by hand."""

from .domains import split
from .grammar import entries

LISTS = {name: split(text) for name, text in {
    "name": "Fatima, Igor, Helen, Oscar, Priya, Mateo, Mrs Lindqvist, Mr Okafor, my uncle, the trainee, his flatmate,"
            " the twins",
    "city": "Hamburg, Bristol, Valencia, Tallinn, Kyoto, Bogota, Perth, Gdansk, Leeds, Basel",
    "country": "Belgium, Nepal, Bolivia, Ghana, Estonia, Malaysia, Denmark, Tunisia",
    "when": "the day before yesterday, in spring, at dawn, around Easter, overnight, at the end of May, last Friday,"
            " shortly after midday, over the weekend",
    "soon": "in a fortnight, on Friday, by the end of May, at dusk, within the hour, the day after tomorrow",
    "amount": "eighteen, 17, thirteen, 96, a dozen, 41, a couple of, 530",
    "hue": "purple, beige, turquoise, maroon, silver, violet",
    "shape": "oval, rusty, folding, refurbished, portable, curved, rectangular",
    "creature": "dolphins, pigeons, crocodiles, hedgehogs, moths, camels",
    "subject": "linguistics, accounting, archaeology, nursing, philosophy",
    "stuff": "granite, linen, rubber, cardboard, bamboo, bronze",
}.items()}

STATEMENTS = entries("""
    According to the {who}, the {thing} belongs in the {place}.
    {amount} {whos} applied for the post {when}.
    The {shape} {thing} on the left belongs to {name}.
    {name} picked up the {thing} from the {place} {when}.
    Every {who} carries a {thing} these days.
    Between {city} and {city} lie {amount} miles of road.
    Inside the {place} stands a {shape} {thing}.
    {name} has just {did} a {thing}.
    Since May the {who} has rented the {place}.
    {name} and the {who} share a {place}.
    Nobody was at the {place} when the {who} rang.
    {name} teaches {subject} at a college in {country}.
    The {hue} {thing} replaces the {hue} one.
    {creature} are found in parts of {country}.
    {whos} from {country} met in {city} {when}.
    A spokeswoman confirmed that the {place} employs {amount} {whos}.
    Traffic past the {place} was diverted {when}.
    The museum in {city} shows a {thing} made from {stuff}.
    While {name} {did} the {thing}, it began to snow.
    Half of the {thing2} had been sold by the {who} {when}.
    """)

QUESTIONS = entries("""
    Whose {thing} is that?
    Must the {thing} be {did} by a {who}?
    At which {place} did you leave the {thing}?
    How often does one have to {do} a {thing}?
    Has anybody {did} the {thing} yet?
    Do {creature} live in {country}?
    In which year did {country} join the treaty?
    What happens if a {who} leaves the {thing} in the {place}?
    Excuse me, is this the way to the {place}?
    Would you rather {do} the {thing} {soon} or later?
    Since when has {name} been a {who}?
    How heavy is a {shape} {thing}?
    What kind of {thing} did {name} pick?
    Might the {who} be able to come {soon}?
    Who else has a key for the {place}?
    What do you call a person who studies {subject}?
    Is {stuff} harder than {stuff}?
    """)

WRITTEN = {
    "questions": entries("""
        Who fixed the leak in the ceiling?
        What time does the pharmacy close on Sundays?
        How do I change the language of my keyboard?
        Where can I buy stamps around here?
        Is the museum open on Mondays?
        Which bus goes to the airport?
        How many people live in Iceland?
        Do penguins have knees?
        When is the next solar eclipse visible from Spain?
        Can I pay by card?
        What's the wifi password?
        How long should I boil an egg?
        Did you lock the back door?
        Why is the sky blue?
        Have you got a minute?
        Could you repeat the last number, please?
        Does this coat come in a larger size?
        What did the teacher give you for homework?
        Who is the prime minister of New Zealand?
        Are there vegetarian dishes on the menu?
        How far is the moon from the earth?
        Is tomorrow a public holiday?
        What's your postcode?
        Which screws do I need for a plasterboard wall?
        Do you take sugar in your tea?
        How is the word rhythm spelled?
        Where does this road lead?
        Was the invoice sent to the Leeds office?
        Who directed the film about the chess player?
        What language do they speak in Brazil?
        Can the files be opened on a phone?
        When was the telephone invented?
        """),
    "facts": entries("""
        The plumber fixed the leak.
        It is a table.
        Water boils at one hundred degrees Celsius at sea level.
        The Danube flows into the Black Sea.
        My sister works at a shoe shop in Leeds.
        The bus stops in front of the library.
        There are sixteen ounces in a pound.
        An octopus has three hearts.
        He parked the car behind the supermarket.
        The keys are on the kitchen table.
        Lisbon is the capital of Portugal.
        She takes the dog for a walk before breakfast.
        The recipe calls for two cups of flour.
        Our office is on the third floor.
        The novel has four hundred pages.
        The film was released in 1994.
        The movie is two hours long and set in Chicago.
        Her train arrives at ten past four.
        I am forty-one years old and live in Leicester.
        The battery is charged by a cable.
        Copper is a metal.
        They moved here from Denmark in 2009.
        The shop sells nails, paint and wallpaper.
        He wore a grey jumper and brown shoes.
        The bridge connects the two halves of the town.
        The main actress was born in Sydney.
        We have a meeting every second Wednesday.
        The printer is connected to the network.
        The lake is forty metres deep.
        Caterpillars turn into moths or butterflies.
        The envelope contains two forms and a return label.
        Potatoes grow underground.
        """),
    "instructions": entries("""
        Preheat the oven to 180 degrees.
        Turn off the water before you remove the tap.
        Press and hold the power button for five seconds.
        Fold the paper along the dotted line.
        Insert the card with the chip facing up.
        Please forward this email to the accounts team.
        Add the eggs one at a time and stir.
        Take two tablets a day with water.
        Remove the four screws at the back.
        Enter your date of birth and click continue.
        Stand clear of the doors.
        Write your answers on the second sheet.
        Leave the parcel with the porter.
        Attach the hose to the outlet.
        Drain the pasta and put it back into the pot.
        Choose a username with at least eight letters.
        Feed the cat at six and close the window.
        Follow the signs for the car park.
        Bring a pencil and a ruler to the exam.
        Mark the position of the holes with chalk.
        Ask for Daniel at the front desk.
        Run the installer and restart the computer.
        """),
    "news-like lines": entries("""
        The council approved the plan for a new cycle path on Tuesday.
        Shares of the company closed at 41 dollars.
        Voters in six states go to the polls next week.
        The airline will add two weekly flights to Lisbon.
        A spokesman said the road would reopen on Friday.
        The central bank left interest rates unchanged.
        Researchers counted 212 nests along the coast.
        The festival takes place from 3 to 9 August.
        The court will hear the case in September.
        The ministry published the figures on its website.
        The river rose by forty centimetres overnight.
        The team travels to Glasgow on Saturday for the second leg.
        Parliament debated the bill for nine hours.
        The school has 640 pupils and 38 teachers.
        The orchestra is looking for a new conductor.
        The factory makes parts for wind turbines.
        The number of passengers was the same as last year.
        A new edition of the atlas appears this autumn.
        The mayor met a delegation from Osaka.
        The census will be held again in ten years.
        """),
    "small talk": entries("""
        I'm on the train, see you at seven.
        He went home.
        There is a car in it.
        See attached the minutes of the last meeting.
        I'll be in the office until four.
        We had fish for dinner.
        Tell him I called.
        It's raining here.
        She said she would ring back.
        I think it is on the top shelf.
        That was on Thursday, not Friday.
        The second one from the left.
        I usually take the stairs.
        Same time next week.
        Let me check the calendar.
        My parents have a caravan.
        """),
}
"""Some are sentences on which an earlier form of the model was sure."""
