"""The files 1.N.txt beside this one: what each level of functions changes.

A line is "function overload-id signature"; the overloads of a function stand in the order in which the checker tries
them. Behind a "~" stands what is removed, before what is added: an overload whose place changes is removed, and added
again.
"""


def apply(known, changes):
    """The lines of a level, from those of the level before."""
    gone = {line[1:] for line in changes if line.startswith("~")}
    return [line for line in known if line not in gone] + [line for line in changes if not line.startswith("~")]


def by_function(lines):
    found = {}
    for line in lines:
        found.setdefault(line.split(" ", 1)[0], []).append(line)
    return found


def changes(known, there):
    """What makes the lines `there` of those of the level before."""
    gone, added, now = [], [], by_function(there)
    for function, lines in by_function(known).items():
        new = now.get(function, [])
        stays = [line for line in lines if line in new]
        same = next((i for i, (a, b) in enumerate(zip(stays, new)) if a != b), len(stays))
        gone += [line for line in lines if line not in stays[:same]]
        now[function] = new[same:]
    for lines in now.values():
        added += lines
    return ["~" + line for line in sorted(gone)] + added
