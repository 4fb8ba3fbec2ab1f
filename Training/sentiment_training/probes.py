"""Short sentences of the project's own, by what they try; label 1 is positive. None is trained on."""

PROBES = {
    "plain": [
        (1, "I loved every minute of this film."), (1, "A wonderful and moving story."),
        (1, "The acting is superb and the music is beautiful."), (1, "Funny, charming and full of life."),
        (1, "One of the best films of the year."), (1, "A joy from start to finish."),
        (1, "An honest, touching portrait of a family."), (1, "The director has made a masterpiece."),
        (0, "A boring mess without a single laugh."), (0, "The plot is stupid and the jokes are awful."),
        (0, "I fell asleep halfway through."), (0, "Terrible acting and a dull script."),
        (0, "A complete waste of time."), (0, "Tedious, shallow and far too long."),
        (0, "One of the worst films I have ever seen."), (0, "The story makes no sense and nobody cares."),
    ],
    "negation": [
        (0, "This film is not good."), (1, "This film is not bad at all."), (0, "It is not funny."),
        (1, "It is never dull."), (0, "I did not enjoy it."), (1, "There is nothing wrong with this lovely film."),
        (0, "The acting isn't convincing."), (1, "You won't be disappointed."), (0, "There is no charm in it."),
        (1, "I can't think of a better film this year."), (0, "It never becomes as exciting as it should be."),
        (1, "Hardly a boring moment."),
    ],
    "sarcasm": [
        (0, "Great, another sequel that nobody asked for."), (0, "If you need help falling asleep, this is perfect."),
        (0, "A brilliant idea: two hours of people staring at walls."), (0, "Oh good, more car chases."),
        (0, "The best thing about it is that it ends."), (0, "I have seen funnier funerals."),
    ],
    "other subjects": [
        (1, "The delivery came a day early and everything was well packed."), (1, "Our waiter was friendly and quick."),
        (1, "This phone's battery lasts two days."), (1, "Very comfortable shoes, I bought a second pair."),
        (1, "The room was clean and quiet."), (1, "Support answered within minutes and solved it."),
        (0, "The package arrived broken and nobody answers."), (0, "The soup was cold and the bill was wrong."),
        (0, "The battery dies after an hour."), (0, "The app crashes each time I open it."),
        (0, "They charged me twice and refuse to pay it back."), (0, "The hotel room smelled of smoke."),
    ],
}
