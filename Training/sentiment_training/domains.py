"""Words of everyday life, by the domain in which they go together; what the neutral sentences are made of.

A line of a domain: who does something, what is done (base form, and the past where it is irregular), to what, where.
"""

from dataclasses import dataclass


@dataclass
class Domain:
    people: list[str]
    verbs: list[tuple[str, str]]
    things: list[str]
    places: list[str]


def past(verb):
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + "ed"


def split(text):
    return [part.strip() for part in text.split(",")]


def domain(text):
    """Four lines, parted by `;`."""
    people, verbs, things, places = map(split, text.split(";"))
    pairs = [verb.partition("/") for verb in verbs]
    return Domain(people, [(base, other or past(base)) for base, _, other in pairs], things, places)


TRAINED = [domain(text) for text in (
    "carpenter, joiner, apprentice; saw, sand, glue, measure, cut/cut, drill; shelf, board, cupboard, drawer, ladder,"
    " plank, door frame, stool; workshop, garage, shed, timber yard",
    "cook, chef, baker, caterer; boil, chop/chopped, stir/stirred, peel, roast, slice, bake, drain; onion, potatoes,"
    " soup, rice, bread, carrots, dough, sauce, pumpkin, lentils; kitchen, bakery, canteen, dining room",
    "nurse, dentist, surgeon, pharmacist; weigh, examine, fill, label, order, check; prescription, bandage,"
    " thermometer, X-ray, patient's chart, syringe, tablets; hospital, clinic, pharmacy, waiting room",
    "teacher, pupil, lecturer, headmaster; write/wrote, read/read, correct, collect, print, hand out/handed out; essay,"
    " exercise, textbook, timetable, homework, report card, notebook; school, classroom, library, lecture hall",
    "engineer, programmer, administrator, tester; install, compile, copy, restart, update, rename, configure; server,"
    " file, database, script, printer, keyboard, router, password, folder; office, data centre, laboratory, basement",
    "accountant, clerk, cashier, banker; count, transfer, sign, file, print, calculate; invoice, receipt, tax form,"
    " cheque, payslip, account statement, loan; bank, branch, counter, post office",
    "gardener, neighbour, park keeper; water, plant, rake, prune, mow, trim/trimmed, dig up/dug up; hedge, roses, lawn,"
    " tulips, apple tree, compost, seedlings, bulbs; garden, greenhouse, allotment, backyard",
    "driver, mechanic, cyclist, passenger; park, wash, load, start, tow, lock, refuel; lorry, van, bicycle, tyre,"
    " engine, trailer, windscreen, suitcase; car park, petrol station, motorway, driveway",
    "conductor, traveller, commuter, stationmaster; board, stamp, book, catch/caught, miss, check; train, ticket, tram,"
    " luggage, ferry, connection, timetable; station, platform, terminal, bus stop",
    "pilot, steward, navigator; land, steer, unload, inspect, board; plane, cabin, cargo, runway lights, helicopter,"
    " aircraft; airport, hangar, gate, control tower",
    "farmer, shepherd, vet, milkmaid; feed/fed, milk, shear, harvest, sow, count, fence; cows, sheep, barley, wheat,"
    " hens, goats, hay, tractor; barn, field, stable, meadow",
    "tailor, seamstress, shop assistant; sew, iron, fold, hem/hemmed, button, measure; shirt, trousers, curtain, coat,"
    " scarf, sleeve, jacket; tailor's shop, laundry, fitting room, wardrobe",
    "librarian, student, archivist; borrow, return, catalogue, shelve, lend/lent, scan/scanned; dictionary, atlas,"
    " newspaper, magazine, map, manuscript, encyclopedia; reading room, archive, university, bookshop",
    "builder, architect, bricklayer, roofer; build/built, paint, plaster, tile, draw/drew, lay/laid; wall, roof, fence,"
    " chimney, staircase, foundation, balcony, window; building site, house, attic, tower",
    "judge, lawyer, witness, notary; sign, read/read, file, send/sent, witness, translate; contract, statement, letter,"
    " will, document, lease, form; court, law firm, town hall, registry",
    "minister, mayor, spokesman, councillor; announce, open, visit, present, propose, discuss; budget, plan, bridge,"
    " motion, road scheme, law, census; parliament, council chamber, capital, district",
    "swimmer, runner, goalkeeper, referee, coach; kick, throw/threw, catch/caught, record, time, pass; ball, race,"
    " match, penalty, relay, medal, javelin; stadium, pool, gym, track",
    "violinist, singer, organist, drummer; tune, play, record, rehearse, carry; piano, cello, song, flute, score,"
    " guitar, microphone; concert hall, studio, church, rehearsal room",
    "postman, courier, sorter; deliver, weigh, stamp, sort, seal, forward; parcel, letter, postcard, envelope, package,"
    " magazine; depot, sorting office, mailbox, doorstep",
    "chemist, physicist, technician; heat, mix, weigh, measure, dilute, filter; solution, sample, liquid, salt, copper,"
    " magnet, lens, crystal; laboratory, institute, observatory, cleanroom",
    "geologist, surveyor, miner; map/mapped, drill, dig/dug, sample, sketch, survey; rock, valley, layer, tunnel,"
    " slope, quartz, limestone; quarry, mine, canyon, mountain",
    "sailor, captain, fisherman; anchor, row, steer, moor, net/netted, unload; boat, sail, rope, barge, crate, lobster"
    " pots; harbour, pier, dock, river",
    "waiter, barman, guest, landlord; pour, serve, order, clear, carry, bring/brought; coffee, tray, glass, menu,"
    " plate, bottle, napkin, tea; restaurant, cafe, bar, hotel",
    "photographer, editor, printer, journalist; print, crop/cropped, publish, caption, interview, file; photograph,"
    " article, poster, headline, camera, brochure; darkroom, newsroom, gallery, press office",
    "electrician, caretaker, janitor; wire, replace, switch off/switched off, fit/fitted, sweep/swept, lock; lamp,"
    " socket, fuse, cable, heating, lift, corridor; cellar, stairwell, hallway, boiler room",
    "father, aunt, grandfather, cousin, sister; pack, bring/brought, buy/bought, wrap/wrapped, keep/kept, carry;"
    " basket, umbrella, blanket, keys, box, lunch, backpack, candles; living room, kitchen, hall, flat",
    "director, cameraman, actor, screenwriter; film, edit, shoot/shot, cast/cast, rehearse, cut/cut; scene, film,"
    " script, trailer, costume, sequel, documentary, soundtrack; studio, cinema, set, festival",
    "manager, secretary, receptionist, colleague; schedule, email, print, arrange, staple, forward; meeting, report,"
    " agenda, spreadsheet, slides, calendar, memo; office, meeting room, headquarters, lobby",
    "ranger, birdwatcher, biologist, keeper; observe, photograph, tag/tagged, count, feed/fed, track; owl, deer,"
    " beaver, beetle, salmon, fox, otter, nest; forest, zoo, marsh, reserve",
    "potter, painter, sculptor, curator; glaze, carve, frame, hang/hung, mould, restore; vase, portrait, bowl, statue,"
    " mosaic, canvas, tile; museum, studio, workshop, exhibition room",
)]
"""Of these the student's neutral sentences are made."""

HELD_OUT = [domain(text) for text in (
    "plumber, locksmith, glazier; fix, unblock, tighten, solder, loosen; leak, tap, sink, pipe, valve, gutter;"
    " bathroom, pantry, apartment, penthouse",
    "beekeeper, brewer, winegrower; smoke, uncork, ferment, crush, taste; honey, hive, grapes, cider, hops, barrel;"
    " orchard, brewery, vineyard, cooperage",
    "astronomer, meteorologist, glaciologist; sight, spot/spotted, forecast, discover, compute; comet, orbit, glacier,"
    " eclipse, rainfall, barometer; planetarium, outpost, summit, camp",
    "barber, cobbler, watchmaker; shave, polish, sharpen, wind/wound, stitch; beard, boots, scissors, pocket watch,"
    " heel, necklace; salon, arcade, kiosk, boutique",
    "firefighter, lifeguard, customs officer; rinse, unroll, stow, seize, confiscate; hose, helmet,"
    " raft, passport, crowbar, siren; cove, border, barracks, lighthouse",
    "babysitter, grandmother, toddler; knit/knitted, unwrap/unwrapped, stack, colour, spoon; mittens, puzzle, pram,"
    " crayons, jigsaw, porridge; nursery, playground, veranda, kindergarten",
    "auctioneer, estate agent, jeweller; appraise, list, auction, engrave, bid on/bid on; bungalow, brooch, antique,"
    " carpet, cottage, coin collection; saleroom, suburb, showroom, village",
    "statistician, economist, auditor; tabulate, extrapolate, halve, compare, average; quantile, median, exports,"
    " ledger, questionnaire, inflation; ministry, treasury, faculty, think tank",
)]
"""Of these the neutral sentences are made that measure it."""
