"""The sentence patterns of requests, by tier.

No pattern holds a number word, so every number in a request is a stated value or belongs to
the words of a sector.
"""

from __future__ import annotations

from dataclasses import dataclass

ORDINALS = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True, slots=True)
class ArgumentStyle:
    """The form of arguments in an easy request.

    ``same`` is for an argument with the name of the output that feeds it, ``other`` for one
    with another name.
    """

    frame: str
    stated: str
    same: str
    other: str


ARGUMENT_STYLES = (
    ArgumentStyle(
        " with {}",
        "{label} {value}",
        "the {field} from {origin}",
        "the {field} from {origin} as the {label}",
    ),
    ArgumentStyle(
        " using {}",
        "{value} as the {label}",
        "the {field} from {origin}",
        "the {field} from {origin} as the {label}",
    ),
    ArgumentStyle(
        " with {}",
        "{label} set to {value}",
        "{label} taken from {origin}",
        "{label} set to the {field} from {origin}",
    ),
    ArgumentStyle(
        ", where {}",
        "the {label} should be {value}",
        "the {label} should come from {origin}",
        "the {label} should be the {field} from {origin}",
    ),
    ArgumentStyle(
        ", giving it {}",
        "{value} for {label}",
        "the {field} from {origin}",
        "the {field} from {origin} for {label}",
    ),
)

ORDERS = (
    (("First", "Then", "Next", "After that"), "Finally"),
    (("First,", "Second,", "Third,", "Fourth,", "Fifth,"), None),
    (("Start here:", "Next,", "After that,", "Next in line,"), "Last of all,"),
    (("Please", "Then please", "After that, please", "Next, please"), "At the end, please"),
    (
        (
            "In the first step,",
            "In the second step,",
            "In the third step,",
            "In the fourth step,",
            "In the fifth step,",
        ),
        None,
    ),
    (
        (
            "The first step is to",
            "The second step is to",
            "The third step is to",
            "The fourth step is to",
            "The fifth step is to",
        ),
        None,
    ),
    (("To begin,", "Following that,", "Then", "Afterwards,"), "To finish,"),
)
"""The words before each step of an easy request, and those before the last of three or more
if they differ."""

OPENINGS = (
    "",
    "",
    "Here is what to do.",
    "Please work through these steps.",
    "I have a short job for you.",
    "This is the procedure.",
    "Carry out the following.",
)

CLOSINGS = ("", "", "", "That is all.", "Please keep to this order.", "Thank you.")


@dataclass(frozen=True, slots=True)
class Chain:
    """The connection of clauses in a medium request.

    ``then`` precedes clauses that take outputs of earlier ones, ``also`` precedes the others;
    the words of both rotate.
    """

    opening: str
    then: tuple[str, ...]
    also: tuple[str, ...]
    ending: str


JOINED = (
    Chain("", (", then ", " and from there "), (", also ", " and besides "), "."),
    Chain("please ", (", and then ", ", after which "), (", and also ", ", and "), "."),
    Chain("could you ", (", then ", ", and after that "), (" and also ", ", and "), "?"),
    Chain("I need you to ", (", then to ", " and with that to "), (", also to ", " and to "), "."),
    Chain("would you please ", (", and afterwards ", ", and then "), (", likewise ",), "?"),
    Chain("your job is to ", ("; then ", "; after that, "), ("; besides, ", "; also, "), "."),
    Chain("let us ", (", and from there ", ", and then "), (", and also ", ", and "), "."),
)
"""Chains of one sentence, for up to three clauses."""

SENTENCES = (
    Chain("", (". Then ", ". Next, ", ". After that, "), (". Also ", ". Besides, "), "."),
    Chain(
        "please ",
        (". With that, ", ". Then ", ". Afterwards, "),
        (". Apart from that, ", ". Also ", ". In addition, "),
        ".",
    ),
    Chain(
        "start by looking into this: ",
        (". Next, ", ". After that, ", ". From there, "),
        (". Separately, ", ". Besides, "),
        ".",
    ),
    Chain(
        "I would like you to ",
        (". After that, ", ". Then ", ". With that in hand, "),
        (". Also, ", ". Apart from it, "),
        ".",
    ),
    Chain(
        "we have to ",
        (". From there we ", ". After that we ", ". Then we "),
        (". We also ", ". Besides, we "),
        ".",
    ),
    Chain(
        "here is the job: ",
        (". That done, ", ". Then ", ". Following that, "),
        (". Independently of it, ", ". Also, "),
        ".",
    ),
    Chain(
        "kindly ",
        (". Go on and ", ". After that, ", ". Then "),
        (". In addition, ", ". Separately, "),
        ".",
    ),
)
"""Chains of a sentence for each clause."""

ABOUT = (
    "it is about {}",
    "this concerns {}",
    "I am looking at {}",
    "I have a question about {}",
    "we are dealing with {}",
    "somebody asked me about {}",
    "my attention is on {}",
)

FACTS = (
    "here is all I have: {}",
    "the case is this: {}",
    "all I was told is this: {}",
    "picture it like this: {}",
    "this is the situation: {}",
    "what we know so far: {}",
)
"""For a request without a subject."""

QUESTIONS = (
    "I need to know {}.",
    "please find out {}.",
    "can you tell me {}?",
    "I would like to know {}.",
    "I have been asked {}.",
    "could you find out {}?",
    "what I am after is {}.",
    "do you know {}?",
)

ASSURANCES = (
    "I want to be sure {}.",
    "please see to it {}.",
    "I need to know {}.",
    "make sure {}.",
    "I would like to hear {}.",
    "what matters is {}.",
)
"""For hints that begin with "that"."""

CONSIDERATIONS = (
    "please take into account {}.",
    "it ought to depend on {}, too.",
    "bear in mind {}.",
    "I would not decide it without knowing {}.",
    "do not forget to consider {}.",
    "what also counts is {}.",
)
"""For the sources of optional arguments."""

GREETINGS = (
    "",
    "",
    "",
    "Hello there.",
    "Good morning.",
    "I could use some help.",
    "Sorry to bother you again.",
    "Do you have a moment?",
)

REMARKS = (
    "",
    "",
    "",
    "Thank you.",
    "It is rather urgent.",
    "There is no hurry.",
    "My manager is waiting for it.",
    "I have to report on it today.",
)
