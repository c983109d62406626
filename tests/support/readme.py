"""The commands and outputs that a document quotes, so that tests can compare them with what the programs print.

A session is a fenced block whose lines "$ COMMAND" are followed by what the command prints. An empty line before
the next command belongs to the layout.
"""

import re

FENCED = re.compile(r"(?m)^```\w*\n(.*?)^```$", re.S)
INLINE = re.compile(r"`([^`\n]+)`")


def sections(path):
    """The sessions of each section of the second level, and of what stands above the first."""
    return [sessions_of(text) for text in re.split(r"(?m)^(?=## )", path.read_text())]


def sessions(path):
    """[(command, output)] of the fenced blocks."""
    return sessions_of(path.read_text())


def sessions_of(text):
    found = []
    for block in FENCED.findall(text):
        for part in re.split(r"(?m)^\$ ", block)[1:]:
            command, _, output = part.partition("\n")
            output = output.rstrip("\n")
            found.append((command, output and output + "\n"))
    return found


def commands(path, program):
    """What is quoted inside of a sentence or a table and calls this program."""
    text = FENCED.sub("", path.read_text())
    inline = [code.replace("\\|", "|") for code in INLINE.findall(text)]
    return [code for code in inline if re.search(rf"(^|[|(] ?){program} ", code)]
