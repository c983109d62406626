"""Makes an input smaller for as long as it stays interesting."""

import re

ROUNDS = 60
CANDIDATES = 400
PIECE = re.compile(r"\w+|\s+|.", re.S)


def shrink(text, variables, interesting):
    """The smallest (text, variables) found for which interesting([(text, variables)]) is [True]."""
    variables = without_unused(text, variables, interesting)
    for split in (PIECE.findall, list):
        for _ in range(ROUNDS):
            smaller = step(split(text), variables, interesting)
            if smaller is None:
                break
            text = smaller
    return text, without_unused(text, variables, interesting)


def without_unused(text, variables, interesting):
    used = set(re.findall(r"\w+", text))
    fewer = {name: t for name, t in variables.items() if name.split(".")[0] in used}
    if fewer != variables and interesting([(text, fewer)])[0]:
        return fewer
    for unused in [name for name in variables if name not in fewer]:
        fewer = {name: t for name, t in variables.items() if name != unused}
        if interesting([(text, fewer)])[0]:
            variables = fewer
    return variables


def step(pieces, variables, interesting):
    """One run of pieces less, the longest that can go; None when all of it is needed."""
    size = max(len(pieces) // 2, 1)
    while size >= 1:
        starts = range(0, len(pieces) - size + 1, max(1, size // 2, len(pieces) // CANDIDATES))
        candidates = ["".join(pieces[:at] + pieces[at + size :]) for at in starts]
        for candidate, still in zip(candidates, interesting([(c, variables) for c in candidates])):
            if still:
                return candidate
        size = size // 2 if size > 4 else size - 1
    return None
