"""Random schemas with x-kubernetes-validations: expressions of every function, by type."""

import random

SCALARS = ("int", "string", "bool", "double", "bytes", "duration", "timestamp", "intorstring")
FORMATS = {"bytes": "byte", "duration": "duration", "timestamp": "date-time"}
LETTERS = ("", "a", "abc", "x-y", "äöü")

# Functions by the type of their result; {type} is an expression of that type.
CALLS = {
    "bool": [
        "{string}.startsWith({string})",
        "{string}.endsWith({string})",
        "{string}.contains({string})",
        "{string}.matches({regex})",
        "matches({string}, {regex})",
        "{string} == {string}",
        "{string} != {string}",
        "{string} < {string}",
        "{string} >= {string}",
        "{bytes} < {bytes}",
        "{bytes} == {bytes}",
        "{int} == {int}",
        "{int} < {int}",
        "{double} > {double}",
        "{timestamp} < {timestamp}",
        "{duration} >= {duration}",
        "{bool} && {bool}",
        "{bool} || {bool}",
        "!{bool}",
        "{bool} ? {bool} : {bool}",
        "{string} in {strings}",
        "{int} in {ints}",
        "{string} in {stringmap}",
        "{strings} == {strings}",
        "{stringmap} == {stringmap}",
        "{strings}.isSorted()",
        "{ints}.isSorted()",
        "{strings}.all({var}, {bool:string})",
        "{strings}.exists({var}, {bool:string})",
        "{strings}.exists_one({var}, {bool:string})",
        "{ints}.all({var}, {bool:int})",
        "{stringmap}.all({var}, {bool:string})",
        "{stringmap}.exists({var}, {bool:string})",
        "{objects}.all({var}, {bool:object})",
        "{objects}.exists({var}, {bool:object})",
        "{strings}.all({var}, {var2}, {bool:int,string})",
        "{stringmap}.all({var}, {var2}, {bool:string,string})",
        "{objectmap}.all({var}, {var2}, {bool:string,object})",
        "isURL({string})",
        "isQuantity({string})",
        "isIP({string})",
        "isCIDR({string})",
        "isSemver({string})",
        "ip.isCanonical({string})",
        "quantity({string}) == quantity({string})",
        "url({string}) == url({string})",
        "ip({string}) == ip({string})",
        "cidr({string}) == cidr({string})",
        "semver({string}) == semver({string})",
        "quantity({string}).isGreaterThan(quantity({string}))",
        "quantity({string}).isInteger()",
        "cidr({string}).containsIP(ip({string}))",
        "cidr({string}).containsIP({string})",
        "cidr({string}).containsCIDR({string})",
        "cidr({string}).containsCIDR(cidr({string}))",
        "ip({string}).isLoopback()",
        "ip({string}).isGlobalUnicast()",
        "sets.contains({strings}, {strings})",
        "sets.equivalent({ints}, {ints})",
        "sets.intersects({strings}, {strings})",
        "{intorstring} == 5",
        "{intorstring} == {string}",
        "type({intorstring}) == int",
        "format.dns1123Label().validate({string}).hasValue()",
        "format.named({string}).hasValue()",
        "{optstring}.hasValue()",
        "has(self.{field})",
        "has(({bool} ? {object} : {object}).s)",
        "has(({bool} ? self.o : {objects}[0]).s) == true",
        "dyn({object}).s == {string}",
        "dyn({strings}).all({var}, {var} == {string})",
        "dyn({stringmap}).all({var}, {var} == {string})",
        "dyn({objects}).exists({var}, {var}.s == {string})",
        "dyn({bool} ? dyn({strings}) : dyn({stringmap})).all({var}, {var} == {string})",
        "type({int}) == type({string})",
        "[type({int})].all({var}, {var} == int)",
        "[{strings}, {strings}].all({var}, {var}.exists({var2}, {var2} == {string}))",
        "[{ints}, {ints}].all({var}, {var2}, {var2}.exists({var}, {var} == {int}))",
        "[{stringmap}].exists({var}, {var}.all({var2}, {var}[{var2}] == {string}))",
        "[[{strings}]].flatten(2).all({var}, {var} == {string})",
        "[{strings}].flatten(-1).size() == 1",
        "lists.range({int}).all({var}, {var} == {int})",
        "url({string}).getQuery().all({var}, {var} == {string})",
        "url({string}).getQuery().exists({var}, {var2}, {var2}.exists({var}, {var} == {string}))",
        "dyn({string}) == dyn({int})",
        "dyn({strings}) == {strings}",
        "{string}.find({regex}) == {string}",
        "{optstring} == {optstring}",
        "semver({string}).isLessThan(semver({string}))",
        "{strings}[0] == {string}",
        "{object}.s == {string}",
    ],
    "string": [
        "{string} + {string}",
        "{string}.lowerAscii()",
        "{string}.upperAscii()",
        "{string}.trim()",
        "{string}.substring({int})",
        "{string}.substring({int}, {int})",
        "{string}.replace({string}, {string})",
        "{string}.replace({string}, {string}, {int})",
        "{strings}.join()",
        "{strings}.join({string})",
        "{string}.find({regex})",
        "{string}.charAt({int})",
        "string({int})",
        "string({bytes})",
        "string({double})",
        "string({duration})",
        "string({timestamp})",
        "strings.quote({string})",
        "'%s'.format([{string}])",
        "{string}.format([{int}])",
        "{bool} ? {string} : {string}",
        "{strings}[{int}]",
        "{stringmap}[{string}]",
        "url({string}).getHost()",
        "url({string}).getEscapedPath()",
        "{optstring}.orValue({string})",
        "{optstring}.value()",
        "{object}.s",
        "{objects}[{int}].s",
        "{strings}.max()",
        "{strings}.min()",
        "string(ip({string}))",
        "dyn({string})",
        "[{string}, {string}][{int}]",
        "{{'k': {string}}}['k']",
        "{{'k': [{string}]}}.k[0]",
        "{{'k': {{'l': {string}}}}}.k.l",
        "[[{string}], {strings}][0][{int}]",
        "dyn({strings})[0]",
        "dyn({bool} ? dyn({string}) : dyn({int}))",
        "({bool} ? {object} : {object}).s",
        "{strings}.distinct()[0]",
        "{strings}.slice(0, {int}).join()",
        "url({string}).getScheme()",
        "url({string}).getPort()",
        "string({strings}.size() + {int})",
    ],
    "int": [
        "{int} + {int}",
        "{int} * {int}",
        "-{int}",
        "size({string})",
        "{string}.size()",
        "size({strings})",
        "{stringmap}.size()",
        "{bytes}.size()",
        "{ints}.sum()",
        "{ints}.max()",
        "{ints}.min()",
        "{string}.indexOf({string})",
        "{string}.lastIndexOf({string})",
        "{string}.indexOf({string}, {int})",
        "{strings}.indexOf({string})",
        "{ints}.lastIndexOf({int})",
        "int({string})",
        "int({double})",
        "{bool} ? {int} : {int}",
        "{timestamp}.getFullYear()",
        "{duration}.getSeconds()",
        "quantity({string}).asInteger()",
        "quantity({string}).compareTo(quantity({string}))",
        "quantity({string}).sign()",
        "ip({string}).family()",
        "cidr({string}).prefixLength()",
        "semver({string}).major()",
        "{ints}[{int}]",
        "{object}.n",
    ],
    "double": ["double({int})", "double({string})", "{double} + {double}", "quantity({string}).asApproximateFloat()"],
    "bytes": ["bytes({string})", "{bytes} + {bytes}", "b'abc'"],
    "duration": ["duration({string})", "duration('1h')", "{duration} + {duration}", "{timestamp} - {timestamp}"],
    "timestamp": ["timestamp({string})", "timestamp('2020-01-01T00:00:00Z')", "{timestamp} + {duration}"],
    "strings": [
        "{string}.split({string})",
        "{string}.split({string}, {number})",
        "{string}.findAll({regex})",
        "{strings} + {strings}",
        "[{string}, {string}]",
        "{strings}.map({var}, {string:string})",
        "{strings}.filter({var}, {bool:string})",
        "{stringmap}.map({var}, {string:string})",
        "['a', 'bb']",
        "[?{optstring}, {string}]",
        "[?optional.of({string}), ?optional.none()]",
        "[?self.?s, ?{strings}[?{int}]]",
        "[{strings}, {strings}][{int}]",
        "{stringmap}.map({var}, [{string:string}])[0]",
        "{bool} ? [{string}] : []",
        "{strings}.map({var}, {bool:string} ? [{string:string}] : [])[{int}]",
        "{objects}.map({var}, {string:object})",
        "{bool} ? {strings} : {strings}",
        "{strings}.distinct()",
        "{strings}.sort()",
        "{strings}.reverse()",
        "{strings}.slice({number}, {number})",
        "[{strings}, {strings}].flatten()",
        "{strings}.map({var}, {bool:string}, {string:string})",
        "{objects}.map({var}, {string:object}).sort()",
        "{objects}.sortBy({var}, {string:object}).map({var}, {string:object})",
        "{ints}.transformList({var}, {var2}, {string:int,int})",
        "{stringmap}.transformList({var}, {var2}, {string:string,string})",
    ],
    "ints": [
        "[{int}, {int}]",
        "{ints} + {ints}",
        "{strings}.map({var}, {int:string})",
        "{ints}.filter({var}, {bool:int})",
        "lists.range({number})",
        "{ints}.sort()",
        "{ints}.distinct()",
        "[[{int}]].flatten(2)",
        "[{ints}].flatten()",
    ],
    "stringmap": [
        "{{{string}: {string}}}",
        "{{'a': {string}, 'b': {string}}}",
        "{{?'a': {optstring}, 'b': {string}}}",
        "[{stringmap}, {stringmap}][{int}]",
        "{stringmap}.transformMapEntry({var}, {var2}, {{{var2}: {string:string,string}}})",
        "{bool} ? {stringmap} : {stringmap}",
        "{stringmap}.transformMap({var}, {var2}, {string:string,string})",
        "{strings}.transformMapEntry({var}, {var2}, {{{string:int,string}: {var2}}})",
    ],
    "optstring": [
        "optional.of({string})",
        "optional.none()",
        "{strings}[?{int}]",
        "{stringmap}[?{string}]",
        "self.?s",
        "{optstring}.optMap({var}, {string:string})",
        "{optstring}.or({optstring})",
        "{object}.?s",
        "{optstring}.optFlatMap({var}, optional.of({string:string}))",
    ],
    "objects": ["{objects}.filter({var}, {bool:object})", "[{object}, {object}]"],
    "object": ["{objects}[{int}]"],
    "objectmap": [],
    "intorstring": [],
}
LITERALS = {
    "bool": ["true", "false"],
    "string": ["'a'", "''", "'abcdefgh'", "'äöü'"],
    "int": ["0", "3", "-1"],
    "double": ["1.5"],
    "bytes": ["b''", "b'xyz'"],
    "duration": ["duration('1m')"],
    "timestamp": ["timestamp('2021-01-01T00:00:00Z')"],
    "strings": ["['a']", "[self.s]"],
    "ints": ["[1, 2, 3]", "[self.n]"],
    "stringmap": ["{'a': 'b'}"],
    "optstring": ["optional.of('x')"],
    "objects": ["[self.o]"],
    "object": ["self.o"],
    "objectmap": ["{'a': self.o}"],
    "intorstring": ["dyn(1)"],
}
# The fields of self that have a type; what is under them is random.
FIELDS = {
    "int": ["n"],
    "string": ["s", "t"],
    "bool": ["b"],
    "double": ["d"],
    "bytes": ["y"],
    "duration": ["u"],
    "timestamp": ["w"],
    "intorstring": ["i"],
    "strings": ["l", "k"],
    "ints": ["q"],
    "stringmap": ["m"],
    "object": ["o"],
    "objects": ["a"],
    "objectmap": ["p"],
}


class Expression:
    """One random expression; scope: the local variables by type."""

    def __init__(self, source, is_resource):
        self.random = source
        self.names = [
            f"self.{of}metadata.{name}"
            for name in ("name", "generateName")
            for of in (("", "e.") if is_resource else ("e.",))
        ]
        self.count = 0

    def leaf(self, wanted, scope):
        local = [name for name, kind in scope if kind == wanted]
        if wanted == "string":
            local += [name + ".s" for name, kind in scope if kind == "object"]
        choice = self.random.random()
        if wanted == "string" and self.random.random() < 0.1:
            return self.random.choice(self.names)
        if local and choice < 0.6:
            return self.random.choice(local)
        if choice < 0.85 and wanted in FIELDS:
            root = "oldSelf." if self.random.random() < 0.03 else "self."
            return root + self.random.choice(FIELDS[wanted])
        return self.random.choice(LITERALS[wanted])

    def make(self, wanted, depth, scope=()):
        if depth <= 0 or not CALLS[wanted] or self.random.random() < 0.1:
            return self.leaf(wanted, scope)
        return self.fill(self.random.choice(CALLS[wanted]), depth, scope)

    def fill(self, template, depth, scope):
        out, at = [], 0
        names = {}
        while at < len(template):
            if template.startswith("{{", at):
                out.append("{")
                at += 2
            elif template.startswith("}}", at):
                out.append("}")
                at += 2
            elif template[at] == "{":
                end = template.index("}", at)
                out.append(self.hole(template[at + 1 : end], names, depth, scope))
                at = end + 1
            else:
                out.append(template[at])
                at += 1
        return "".join(out)

    def hole(self, hole, names, depth, scope):
        if hole in ("var", "var2"):
            if hole not in names:
                self.count += 1
                names[hole] = f"v{self.count}"
            return names[hole]
        if hole == "regex":
            return self.random.choice(["'a+'", "'^[a-z]*$'", "''"])
        if hole == "number":
            return self.random.choice(["0", "1", "7", "100"])
        if hole == "field":
            return self.random.choice(["s", "l", "o", "m"])
        kind, _, inner = hole.partition(":")
        if inner:
            variables = [names[name] for name in ("var", "var2") if name in names]
            return self.make(kind, depth - 1, scope + tuple(zip(variables, inner.split(","))))
        text = self.make(kind, depth - 1, scope)
        return f"({text})" if " " in text or text[0] == "-" else text


def bound(source, schema, key, most):
    if source.random() < 0.5:
        schema[key] = source.choice([0, 1, 5, 10, 100, most])
    return schema


def string(source):
    schema = bound(source, {"type": "string"}, "maxLength", 5000)
    if source.random() < 0.15:
        schema["enum"] = source.sample(["", "a", "bcd", "äöü", "longer than others"], 3)
    return schema


def scalar(source, kind):
    if kind in FORMATS:
        schema = {"type": "string", "format": FORMATS[kind]}
        return bound(source, schema, "maxLength", 50)
    if kind == "intorstring":
        return bound(source, {"x-kubernetes-int-or-string": True}, "maxLength", 64)
    return (
        string(source)
        if kind == "string"
        else {"type": {"int": "integer", "bool": "boolean", "double": "number"}[kind]}
    )


def values(source, inner, is_map=False):
    if is_map:
        return bound(source, {"type": "object", "additionalProperties": inner}, "maxProperties", 3000)
    return bound(source, {"type": "array", "items": inner}, "maxItems", 3000)


def small_object(source):
    schema = {"type": "object", "properties": {"s": string(source), "n": {"type": "integer"}}}
    required(source, schema)
    return schema


def required(source, schema):
    names = [name for name in schema["properties"] if source.random() < 0.5]
    if names:
        schema["required"] = names
    for name in names:
        if source.random() < 0.2 and schema["properties"][name].get("type") == "integer":
            schema["properties"][name]["default"] = 1


def schema(source):
    properties = {}
    for kind, names in FIELDS.items():
        for name in names:
            if kind in SCALARS:
                properties[name] = scalar(source, kind)
            elif kind == "object":
                properties[name] = small_object(source)
            else:
                inner = {
                    "strings": string,
                    "stringmap": string,
                    "objects": small_object,
                    "objectmap": small_object,
                    "ints": lambda _: {"type": "integer"},
                }[kind](source)
                properties[name] = values(source, inner, kind.endswith("map"))
    properties["e"] = {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"x": string(source)}}
    if source.random() < 0.3:  # a resource may require what its schema does not list
        properties["e"]["required"] = source.sample(["kind", "apiVersion", "metadata", "x"], 2)
    for properties_of in properties, properties["e"]["properties"]:
        if source.random() < 0.3:
            properties_of["metadata"] = metadata(source)
    made = {"type": "object", "properties": properties}
    required(source, made)
    if source.random() < 0.3:
        made["required"] = made.get("required", []) + source.sample(["kind", "apiVersion", "metadata"], 1)
    return made


def metadata(source):
    """Of a resource: lengths of names are all that a schema may say of it; without any it is no resource's."""
    names = source.sample(["name", "generateName"], source.choice([0, 1, 2]))
    return {
        "type": "object",
        "properties": {name: bound(source, {"type": "string"}, "maxLength", 300) for name in names},
    }


def cases(count, seed):
    """{"schema", "resource"} of `count` schemas with eight rules each."""
    source = random.Random(seed)
    for _ in range(count):
        made = schema(source)
        is_resource = source.random() < 0.5
        rules = []
        for _ in range(8):
            rule = {"rule": Expression(source, is_resource).make("bool", source.choice([1, 2, 3, 4]))}
            if source.random() < 0.3:
                rule["messageExpression"] = Expression(source, is_resource).make("string", source.choice([1, 2, 3]))
            if source.random() < 0.1:
                rule["optionalOldSelf"] = True
            rules.append(rule)
        made["x-kubernetes-validations"] = rules
        yield {"schema": made, "resource": is_resource}
