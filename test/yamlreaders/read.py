"""Reads YAML documents with the parsers for Python and reports the result of each.

Standard input is one JSON object per line, {"id": number, "yaml": string}. The
first line of standard output is {"readers": [{"name", "order", "types",
"depth"}, ...]} and describes what each parser's values preserve (see kindOf in
compare_test.go). One line per document follows, {"id": number, "saw": [string,
...]}, with each parser's value serialized as JSON. A string that equals the
previous one is left empty. A string that starts with "!" is an error or a value
that JSON can't represent.
"""

import io
import json
import math
import multiprocessing
import sys

import ruamel.yaml
import ryaml
import yaml
import yaml12
import yamlcore


def ruamel_reader(version=None, **how):
    def read(text):
        reader = ruamel.yaml.YAML(**how)
        reader.version = version
        return reader.load(text)

    return read


READERS = {
    "PyYAML": lambda text: yaml.load(text, yaml.SafeLoader),
    "PyYAML libyaml": lambda text: yaml.load(text, yaml.CSafeLoader),
    "yamlcore": lambda text: yaml.load(text, yamlcore.CoreLoader),
    "ruamel 1.2": ruamel_reader("1.2", typ="safe", pure=True),
    "ruamel 1.1": ruamel_reader("1.1", typ="safe", pure=True),
    "ruamel round-trip": ruamel_reader(typ="rt"),
    "ruamel libyaml": ruamel_reader(typ="safe"),
    "ryaml": ryaml.loads,
    "yaml12": yaml12.parse_yaml,
}

# The maximum nesting depth of parsers that have a fixed limit.
DEPTHS = {"ryaml": 128}


class NoJSON(Exception):
    """A value that JSON can't represent."""


def write(value, out):
    """Writes a value as JSON and distinguishes integers from floats."""
    if value is None:
        out.write("null")
    elif isinstance(value, bool):
        out.write("true" if value else "false")
    elif isinstance(value, str):
        out.write(json.dumps(value))
    elif isinstance(value, int):
        out.write(str(int(value)))
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise NoJSON(float(value))
        text = repr(float(value))
        out.write(text if "." in text or "e" in text else text + ".0")
    elif isinstance(value, dict):
        out.write("{")
        for i, (key, item) in enumerate(value.items()):
            if not isinstance(key, str):
                raise NoJSON("key " + repr(key))
            out.write(("," if i else "") + json.dumps(key) + ":")
            write(item, out)
        out.write("}")
    elif isinstance(value, list):
        out.write("[")
        for i, item in enumerate(value):
            out.write("," if i else "")
            write(item, out)
        out.write("]")
    else:
        raise NoJSON(type(value))


def see(read, text):
    try:
        out = io.StringIO()
        write(read(text), out)
        return out.getvalue()
    except Exception as problem:  # a parser may raise any exception
        return "! " + type(problem).__name__ + ": " + str(problem)[:500]


def answer(line):
    """Returns the output line for an input line."""
    document = json.loads(line)
    saw, last = [], None
    for read in READERS.values():
        text = see(read, document["yaml"])
        saw.append("" if text == last else text)
        last = text
    return json.dumps({"id": document["id"], "saw": saw})


def main():
    facts = {"order": True, "types": True}
    print(json.dumps({"readers": [{"name": name, "depth": DEPTHS.get(name, 0), **facts} for name in READERS]}))
    # PyYAML is recursive.
    with multiprocessing.Pool(initializer=sys.setrecursionlimit, initargs=(20000,)) as pool:
        for line in pool.imap(answer, sys.stdin, chunksize=50):
            print(line)


if __name__ == "__main__":
    main()
