#!/usr/bin/env python3
"""What a validating policy may take for granted of an object: a real API server refuses anything else.

Each field of validatedfields.py gets a value outside of its enumeration or range, or one that is spelled wrong, once in
a new object and once in an update, and is refused both times; typecheck/cel/schema/valid_fields.def lists just these
fields (UPDATE_GOLDENS=1 writes it).
Each field that a schema requires is left out, and the server refuses the object, or fills the field.
"""

import copy
import json
import os
import re
import urllib.error
import urllib.parse
import urllib.request

import harness
import validatedfields

OUTSIDE = "NoSuchValue"
FEWEST = 40
SHOWN = 400  # of a message, which may hold a whole object


class ValidatedTest(harness.Case):
    def setUp(self):
        super().setUp()
        self.url = self.proxy()
        self.documents = {}
        self.minor = self.plane.version.partition(".")[2]

    def ask(self, method, path, body=None):
        """(status, answer)"""
        request = urllib.request.Request(
            self.url + path,
            None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json"},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def schemas(self, api_version):
        if api_version not in self.documents:
            path = f"/openapi/v3/{'apis' if '/' in api_version else 'api'}/{api_version}"
            self.documents[api_version] = self.ask("GET", path)[1]["components"]["schemas"]
        return self.documents[api_version]

    def root(self, made):
        group, _, version = made["apiVersion"].rpartition("/")
        wanted = {"group": group, "version": version, "kind": made["kind"]}
        schemas = self.schemas(made["apiVersion"]).items()
        return next(name for name, s in schemas if wanted in s.get("x-kubernetes-group-version-kind", []))

    def dry_runs(self, path, made, stored, change):
        """The answers to a new object, and to an update of the one that is there, both with the change."""
        new, updated = copy.deepcopy(made), copy.deepcopy(stored)
        new["metadata"]["name"] += "-new"
        if made["kind"] == "Service":  # the port of the one that is there is taken
            new["spec"].pop("healthCheckNodePort", None)
        if made["apiVersion"].startswith("flowcontrol."):  # a controller writes their status
            del updated["metadata"]["resourceVersion"]
        for each in (new, updated):
            change(each)
        return [
            self.ask("POST", f"{path}?dryRun=All", new),
            self.ask("PUT", f"{path}/{updated['metadata']['name']}?dryRun=All", updated),
        ]

    def is_asked(self, place, of_enumerations):
        """Returns true if the tables say something of the place; of_enumerations: of its enumeration."""
        until = place.loose_until()
        return until == 0 or place.below() is not None or (of_enumerations and int(self.minor) >= until)

    def each(self, of_enumerations=False):
        """(path, object, its places, what is stored) of each object, which the server takes as it is."""
        for path, made in validatedfields.objects(self._testMethodName.split("_")[1]):
            status, stored = self.ask("POST", path, made)
            self.assertEqual(status, 201, f"{made['kind']}: {stored.get('message', '')[:SHOWN]}")
            for status, answer in self.dry_runs(path, made, stored, lambda same: None):
                self.assertLess(status, 300, f"{made['kind']}: {answer.get('message', '')[:SHOWN]}")
            root = {"$ref": "#/components/schemas/" + self.root(made)}
            places = validatedfields.places(self.schemas(made["apiVersion"]), root, made)
            yield path, made, [place for place in places if self.is_asked(place, of_enumerations)], stored
            self.ask("DELETE", f"{path}/{made['metadata']['name']}")

    def values_of(self, place):
        """(the values of the field, whether it is a list of them, whether only validation lists them); None: any."""
        found = validatedfields.enumeration(place.schema)
        if found is not None:
            return *found, False
        listed = validatedfields.LISTED.get(place.key())
        if listed is None:
            return None
        return validatedfields.words_in(listed, int(self.minor)), place.schema.get("type") == "array", True

    def words_said(self, answers):
        """The values that the server's messages list as the supported ones."""
        text = " ".join(answer["message"] for _, answer in answers)
        quoted = re.findall(r'supported values: ((?:"[^"]*"(?:, )?)+)', text)
        plain = re.findall(r"must be either ((?:\w+, )+or \w+)", text)
        return {word for each in quoted for word in re.findall(r'"([^"]*)"', each)} | {
            word for each in plain for word in re.split(r", (?:or )?", each)
        }

    def test_enumerations(self):
        proved, failed, roots, said = {}, set(), {}, {}
        for path, made, places, stored in self.each(of_enumerations=True):
            for place in places:
                found = self.values_of(place)
                if found is None:
                    continue
                key, wrong = (place.component, place.field), [OUTSIDE] if found[1] else OUTSIDE
                answers = self.dry_runs(
                    path, made, stored, lambda o, p=place, w=wrong: p.parent(o).__setitem__(p.field, w)
                )
                if all(status == 422 for status, _ in answers):
                    proved[key] = found
                    if found[2]:
                        said.setdefault(key, set()).update(self.words_said(answers))
                    roots.setdefault(key, set()).add(made["kind"])
                else:
                    failed.add(key)
                    print(f"{made['kind']}: {place} = {OUTSIDE} is taken: {[status for status, _ in answers]}")
        proved = {key: found for key, found in proved.items() if key not in failed}
        for key, words in said.items():
            self.assertEqual(words, set(proved[key][0]), key)
        print(f"{len(proved)} enumerations are proved, {len(failed)} are not")
        self.assertGreaterEqual(len(proved), FEWEST)
        made = validatedfields.table(proved)
        if os.environ.get("UPDATE_GOLDENS"):
            validatedfields.TABLE.write_text(made)
        self.assertEqual(validatedfields.TABLE.read_text(), made)

    def test_narrower_enumerations(self):
        proved = set()
        for path, made, places, stored in self.each():
            for place in places:
                below = place.below()
                if below is None:
                    continue
                allowed = validatedfields.BELOW[below].split("|")
                for word in [word for word in self.values_of(place)[0] if word not in allowed]:
                    answers = self.dry_runs(
                        path, made, stored, lambda o, p=place, w=word: p.parent(o).__setitem__(p.field, w)
                    )
                    statuses = [status for status, _ in answers]
                    self.assertEqual(statuses, [422, 422], f"{made['kind']}: {place} = {word}")
                    self.assertTrue(all(place.field in answer["message"] for _, answer in answers), answers)
                    proved.add(below)
        self.assertEqual(proved, set(validatedfields.BELOW))

    def refuse(self, path, made, stored, place, wrong):
        """Returns true if no object has the wrong value, new or updated: it is refused, or "" is dropped or filled."""
        answers = self.dry_runs(path, made, stored, lambda o: place.parent(o).__setitem__(place.field, wrong))
        if answers[0][0] in (400, 422):  # for this reason
            said, keys = answers[0][1]["message"], [key for key in place.keys[-3:] if isinstance(key, str)]
            self.assertTrue(any(key in said for key in [*keys, "base64"]), f"{place}: {said}")
        taken = [answer for status, answer in answers if status not in (400, 422)]
        is_gone = wrong == "" and all(place.parent(answer).get(place.field) != "" for answer in taken)
        if taken and not is_gone:
            print(f"{made['kind']}: {place} = {wrong!r} is taken: {[status for status, _ in answers]}")
        return not taken or is_gone

    def test_ranges(self):
        tried, failed = set(), set()
        for path, made, places, stored in self.each():
            for place in places:
                if place.key() not in validatedfields.RANGES:
                    continue
                low, high = validatedfields.RANGES[place.key()]
                tried.add(place.key())
                is_list = place.schema.get("type") == "array"
                for wrong in sorted({-(2**31), low - 1000, low - 1, high + 1, high + 1000, 2**31 - 1, 2**31}):
                    if not low <= wrong <= high and not self.refuse(
                        path, made, stored, place, [wrong] if is_list else wrong
                    ):
                        failed.add(place.key())
        self.assertEqual(failed, set())
        self.assertEqual(tried, set(validatedfields.RANGES))

    def test_items(self):
        """Lists that are never shorter; without them a list of the schema is none, which is refused as well."""
        tried, failed = set(), set()
        for path, made, places, stored in self.each():
            for place in places:
                least = validatedfields.ITEMS.get(place.key(), 0)
                for wrong in (place.parent(made)[place.field][:n] for n in range(least)):
                    tried.add(place.key())
                    if not self.refuse(path, made, stored, place, wrong):
                        failed.add(place.key())
        self.assertEqual(failed, set())
        self.assertEqual(tried, set(validatedfields.ITEMS))

    def wrong_values(self, made, place):
        """Values that are spelled wrong, each in the list or the map that the place has."""
        value = place.parent(made)[place.field]
        for text in validatedfields.WRONG.get(validatedfields.SPELLINGS.get(place.key()), []):
            yield {**value, "wrong": text} if isinstance(value, dict) else [text] if isinstance(value, list) else text
        for text in validatedfields.WRONG.get(validatedfields.KEYS.get(place.key()), []):
            yield {**value, text: "wrong"}

    def test_spellings(self):
        tried, failed = set(), set()
        for path, made, places, stored in self.each():
            for place in places:
                if place.keys == ["metadata", "name"]:
                    continue
                for wrong in self.wrong_values(made, place):
                    tried.add(place.key())
                    if not self.refuse(path, made, stored, place, wrong):
                        failed.add(place.key())
        self.assertEqual(failed, set())
        rows = {*validatedfields.SPELLINGS, *validatedfields.KEYS}
        names = ("metadata.name", "metadata.namespace")
        self.assertEqual(tried, {row for row in rows if row[1] not in names})

    def test_names(self):
        """Names and namespaces never change: only new objects can have wrong ones."""
        tried, failed = set(), set()
        for path, made in validatedfields.objects("names"):
            owner = validatedfields.go_type(made["apiVersion"], made["kind"])
            self.assertEqual(owner, validatedfields.short(self.root(made)))
            for field in ("name", "namespace"):
                row = (owner, "metadata." + field)
                for wrong in validatedfields.WRONG.get(validatedfields.SPELLINGS.get(row), []):
                    if field == "namespace" and (wrong == "" or "/" in wrong):  # no path has it
                        continue
                    tried.add(row)
                    made["metadata"].update({"name": "names", field: wrong})
                    # The server looks for the namespace before it validates the object.
                    where = path.replace("default", urllib.parse.quote(wrong, safe="")) if field != "name" else path
                    status, answer = self.ask("POST", f"{where}?dryRun=All", made)
                    is_filled = wrong == "" and status == 201 and answer["metadata"][field] != ""
                    if status not in ((400, 422) if field == "name" else (400, 404, 422)) and not is_filled:
                        print(f"{made['kind']}: {field} {wrong!r} is taken: {status}")
                        failed.add(row)
        self.assertEqual(failed, set())
        rows = set(validatedfields.SPELLINGS)
        self.assertEqual(tried, {row for row in rows if row[1] in ("metadata.name", "metadata.namespace")})

    def test_required_fields(self):
        kept = set()
        for path, made, places, stored in self.each():
            for place in places:
                holder = self.schemas(made["apiVersion"])[place.component] if place.component else {}
                if place.field not in holder.get("required", []):
                    continue
                answers = self.dry_runs(path, made, stored, lambda o, p=place: p.parent(o).pop(p.field))
                for status, answer in answers:
                    is_there = status < 300 and place.field in place.parent(answer)
                    self.assertTrue(status in (400, 422) or is_there, f"{made['kind']}: {place} may be left out")
                kept.add((place.component, place.field))
        print(f"{len(kept)} required fields are always there")
        self.assertGreaterEqual(len(kept), FEWEST)


harness.main()
