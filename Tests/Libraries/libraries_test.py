"""Small JavaScript libraries that many apps use, as live plugins: each answers as it does in Node.

TRIBUTARY_BIN is the program. `scripts/bootstrap libraries` installs the libraries and Node; without them the tests are
skipped. TRIBUTARY_LIBRARIES is the folder of the libraries.
"""

import json
import os
import random
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ.get("TRIBUTARY_BIN", "Workspace/.build/debug/tributary")
FOLDER = Path(os.environ.get("TRIBUTARY_LIBRARIES", "/usr/share/nodejs"))
INPUTS = 200

# A library is a module of Node or sets a global variable. `library` is what it exports.
BEFORE = "const library = (function () { const module = { exports: {} }; let exports = module.exports;\n"
BEHIND = "\nreturn module.exports; }).call(globalThis);\n"
PLUGIN = """
const work = (input) => { try { return %s; } catch (error) { return "throws " + error.name; } };
class Library extends LivePlugin { track(event) { event.properties.output = work(event.properties.input); return event; } }
analytics.add(new Library("enrichment"));
"""
NODE = """
const work = (input) => { try { return %s; } catch (error) { return "throws " + error.name; } };
const lines = require("fs").readFileSync(0, "utf8").split("\\n").filter(Boolean).map((line) => JSON.parse(line).properties.input);
console.log(JSON.stringify(lines.map((input) => work(input) ?? null)));
"""


def agents(chance):
    """User agents of usual forms."""
    systems = [
        "Windows NT 10.0; Win64; x64", "Macintosh; Intel Mac OS X 10_15_7", "X11; Linux x86_64", "iPad; CPU OS 16_3 like Mac OS X",
        "iPhone; CPU iPhone OS 17_%d like Mac OS X" % chance.randrange(9), "Linux; Android 13; SM-G99%dB" % chance.randrange(9),
        "Linux; Android 12; Pixel %d" % chance.randrange(9), "Linux; U; Android 4.4.2; de-de; GT-I9%d00 Build/KOT49H" % chance.randrange(9),
        "Linux; Android 14; moto g(60) Build/U1TFS34.100-35", "PlayStation 5/SmartTV", "SMART-TV; Linux; Tizen 6.0", "X11; CrOS x86_64 14541.0.0",
    ]
    version = "%d.%d.%d.%d" % tuple(chance.randrange(120) for _ in range(4))
    browsers = [
        "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s Safari/537.36" % version,
        "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s Mobile Safari/537.36 EdgA/%s" % (version, version),
        "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/%s Mobile/15E148 Safari/604.1" % version,
        "AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/20D47 [FBAN/FBIOS;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/16.3;FBSS/3;FBID/phone;FBLC/en_US]",
        "Gecko/20100101 Firefox/%s" % version, "AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/%s Chrome/%s Mobile Safari/537.36" % (version, version),
        "Presto/2.12.388 Version/%s" % version, "AppleWebKit/533.1 (KHTML, like Gecko) Version/4.0 Mobile Safari/533.1",
        "AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/%s Safari/537.36" % version,
    ]
    return "Mozilla/5.0 (%s) %s" % (chance.choice(systems), chance.choice(browsers))


def text(chance, alphabet="abcdefgh <>&\"'é€=?;,.-_/#*`[]()!1234567890\n"):
    return "".join(chance.choice(alphabet) for _ in range(chance.randrange(120)))


def numbers(chance):
    return [chance.randrange(-50, 50) for _ in range(chance.randrange(12))]


def formats(chance):
    """A format and what it formats."""
    signs = [chance.choice(["%d", "%05d", "%+d", "%.2f", "%e", "%x", "%X", "%o", "%b", "%s", "%10s|", "%-10s|", "%'*12s", "%j", "%t", "%%", "%y"])
             for _ in range(chance.randrange(1, 6))]
    values = [chance.choice([chance.randrange(-999, 999), chance.random() * 1e6, "é€", "", True]) for _ in signs]
    return [" and ".join(signs), values]


def time(chance):
    return "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ" % (
        chance.randrange(1970, 2038), chance.randrange(1, 13), chance.randrange(1, 29), chance.randrange(24), chance.randrange(60),
        chance.randrange(60), chance.randrange(1000))


def yaml(chance):
    lines = [
        "a: %d" % chance.randrange(99), "b: [1, two, '%d']" % chance.randrange(9), "c: {d: %s}" % chance.choice(["true", "~", "2001-12-14"]),
        "e: \"x\\ty\"", "f: |\n  one\n  two", "- broken", "g: 0x%x" % chance.randrange(999), "h: &h [1]\ni: *h", "k: é # a remark", "m: 1.5e3",
    ]
    return "\n".join(chance.sample(lines, chance.randrange(1, 6)))


def span(chance):
    return "%d%s" % (chance.randrange(9999), chance.choice([" days", "h", " min", "ms", "y", " weeks", "", " parsecs"]))


# The name, the file, what it makes of an input, and the inputs.
LIBRARIES = [
    ("ua-parser-js", "ua-parser-js/src/ua-parser.js",
     "(() => { const r = new (library.UAParser || library)(input).getResult(); return [r.browser, r.os, r.device, r.engine, r.cpu]; })()", agents),
    ("lodash", "lodash/lodash.min.js", "[library.camelCase(input), library.words(input), library.kebabCase(input), library.escape(input),"
     " library.truncate(input, { length: 20, separator: /,? +/ }), library.deburr(input), library.startCase(input)]", text),
    ("underscore", "underscore/underscore.js", "[library.sortBy(input), library.groupBy(input, (n) => n % 3), library.uniq(input),"
     " library.chunk(input, 3), library.max(input) === -Infinity ? null : library.max(input)]", numbers),
    ("moment", "moment/moment.js", "[library.utc(input).format('dddd, MMMM Do YYYY, h:mm:ss a'), library.utc(input).add(1, 'month').toISOString(),"
     " library.utc(input).isoWeek(), library.duration(library.utc(input).valueOf() % 1e9).humanize()]", time),
    ("sprintf-js", "sprintf-js/src/sprintf.js", "library.vsprintf(input[0], input[1])", formats),
    ("he", "he/he.js", "[library.encode(input), library.decode(library.encode(input) + '&auml;&#x20AC;&amp'), library.escape(input)]", text),
    ("blueimp-md5", "blueimp-md5/js/md5.js", "(library.md5 || library)(input)", text),
    ("js-yaml", "js-yaml/dist/js-yaml.js", "[library.load(input), library.dump(library.load(input))]", yaml),
    ("marked", "marked/lib/marked.umd.js", "library.parse(input)", text),
    ("ms", "ms/index.js", "[library(input) ?? null, library(Number.parseInt(input) * 1000), library(123456, { long: true })]", span),
]


class LibrariesTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="tributary-libraries-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        if shutil.which("node") is None:
            self.skipTest("node is missing: scripts/bootstrap libraries installs it")

    def test_libraries_answer_as_in_node(self):
        tested = 0
        for name, file, work, inputs in LIBRARIES:
            with self.subTest(name):
                path = FOLDER / file
                if not path.exists():
                    print(f"{name} is missing: scripts/bootstrap libraries installs it")
                    continue
                self.compare(name, path.read_text(encoding="utf-8"), work, inputs)
                tested += 1
        if tested == 0:
            self.skipTest("there are no libraries: scripts/bootstrap libraries installs them")

    def compare(self, name, source, work, inputs):
        chance = random.Random(name)
        events = Path(self.folder, "events.ndjson")
        with events.open("w", encoding="utf-8") as lines:
            for number in range(INPUTS):
                event = {"type": "track", "event": "E", "userId": "u", "messageId": f"m-{number}", "properties": {"input": inputs(chance)}}
                lines.write(json.dumps(event) + "\n")
        library = BEFORE + source + BEHIND
        node = Path(self.folder, "node.js")
        node.write_text(library + NODE % work, encoding="utf-8")
        expected = json.loads(subprocess.run(
            ["node", str(node)], input=events.read_text(encoding="utf-8"), capture_output=True, text=True, check=True, timeout=120
        ).stdout)
        plugin = Path(self.folder, "plugin.js")
        plugin.write_text(library + PLUGIN % work, encoding="utf-8")
        check = subprocess.run([PROGRAM, "plugin", "check", str(plugin)], capture_output=True, text=True, timeout=120)
        run = subprocess.run(
            [PROGRAM, "plugin", "test", str(plugin), "--events", str(events), "--json"], capture_output=True, text=True, timeout=300)
        results = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual(len(results), INPUTS, run.stderr[-2_000:])
        wrong = [
            (result["before"]["properties"]["input"], answer, (result["after"] or {}).get("properties", {}).get("output"), result["faults"])
            for result, answer in zip(results, expected)
            if result["faults"] or ((result["after"] or {}).get("properties", {}).get("output")) != answer
        ]
        times = sorted(result["microseconds"] for result in results)
        if os.environ.get("TRIBUTARY_FIGURES"):
            print(f"{name}: {INPUTS - len(wrong)} of {INPUTS} right, median {times[len(times) // 2]:.0f} µs, most {times[-1]:.0f} µs; "
                  f"check: {check.returncode}\n{check.stdout[:1500]}{check.stderr[:500]}")
        self.assertEqual(wrong[:3], [], f"{len(wrong)} of {INPUTS} are wrong")


if __name__ == "__main__":
    unittest.main()
