#!/usr/bin/env python3
"""published.py PROGRAM DUMP CRDS: what we publish of CRDs is what a real API server published.

DUMP is one of a server that has them; all that tells of them is taken out of a
copy before PROGRAM sees it.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

# What the paths of a document refer to, and no kind.
FROM_PATHS = {"DeleteOptions", "Patch", "Preconditions", "Status", "StatusCause", "StatusDetails"}


def differences(ours, theirs, where=""):
    """Where they differ. Only the descriptions of fields that the server adds are not ours."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(ours.keys() | theirs.keys()):
            if key in ours and key in theirs:
                yield from differences(ours[key], theirs[key], f"{where}/{key}")
            elif key != "description" or key in ours:
                yield f"{where}/{key}: only {'ours' if key in ours else 'theirs'}"
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for i, (a, b) in enumerate(zip(ours, theirs)):
            yield from differences(a, b, f"{where}/{i}")
    elif type(ours) is not type(theirs) or ours != theirs:
        yield f"{where}: {ours!r}, not {theirs!r}"


def components(document):
    """Those that a kind can refer to."""
    schemas = document["components"]["schemas"]
    return {name: s for name, s in schemas.items() if name.rsplit(".", 1)[1] not in FROM_PATHS}


def groups(apis, names):
    return {g["metadata"]["name"]: g for g in apis["items"] if g["metadata"]["name"] in names}


def compare(ours, documents, apis):
    """ours: PROGRAM's answer; documents: theirs by URL path; apis: their discovery."""
    found, names = [], set()
    for url, document in ours.items():
        if url != "/apis":
            found += differences(components(document), components(documents[url]), url)
            names.add(url.split("/")[4])
    found += differences(groups(ours["/apis"], names), groups(apis, names), "/apis")
    return found


def main():
    program, dump, crds = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    if not dump.is_dir() or not crds.is_dir():
        print(f"skipped: {dump} or {crds} is missing")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        bare = pathlib.Path(scratch) / "dump"
        shutil.copytree(dump, bare)
        apis = json.loads((dump / "apis.json").read_text())
        left = [g for g in apis["items"] if not g["metadata"]["name"].endswith(".example.com")]
        (bare / "apis.json").write_text(json.dumps({**apis, "items": left}))
        for directory in (bare / "openapi/v3/apis").glob("*.example.com"):
            shutil.rmtree(directory)
        files = sorted(map(str, crds.glob("*.yaml")))
        answer = json.loads(subprocess.run([program, bare, *files], check=True, stdout=subprocess.PIPE).stdout)
    theirs = {url: json.loads((dump / (url[1:] + ".json")).read_text()) for url in answer if url != "/apis"}
    found = compare(answer, theirs, apis)
    print(*found, f"{len(theirs)} documents compared", sep="\n")
    sys.exit(bool(found) or len(theirs) < 5)


if __name__ == "__main__":
    main()
