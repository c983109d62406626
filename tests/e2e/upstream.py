"""What upstream says about the policies of policies/: its own words in golden.json, and how to compare with them."""

import json
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent / "policies"
CRD = FOLDER / "widgets.yaml"
GOLDEN = FOLDER / "golden.json"

# Upstream puts a nanosecond count behind a kind in the names of object types: Deployment123456789.spec.
NANOSECONDS = re.compile(r"\b([A-Z][A-Za-z]+)\d+(?=[.,)' ])")


def documents():
    """The text of each policy, by name."""
    texts = (FOLDER / "policies.yaml").read_text().split("---\n")
    return {re.search(r"^metadata:\n  name: (\S+)$", text, re.M).group(1): text for text in texts}


def without_nanoseconds(warnings):
    return [{**w, "warning": NANOSECONDS.sub(r"\1", w["warning"])} for w in warnings]


def golden():
    """expressionWarnings by policy."""
    return json.loads(GOLDEN.read_text())


def messages(warnings_by_policy):
    """The different messages in them."""
    texts = [w["warning"] for warnings in warnings_by_policy.values() for w in warnings]
    return set(re.findall(r"<input>:\d+:\d+: (.*)", "\n".join(texts)))
