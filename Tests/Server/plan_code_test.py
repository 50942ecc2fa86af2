"""The types of a tracking plan, compiled: Swift with the client of this build, and TypeScript.

    /usr/bin/python3 -m unittest -v Tests/Server/plan_code_test.py

TRIBUTARY_BIN is the program. A test is skipped where its compiler or the client's modules are missing.
"""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("TRIBUTARY_BIN", ROOT / "Workspace/.build/debug/tributary")).resolve()

PLAN = {"events": [
    {"type": "track", "name": "Order Completed", "description": "The order is paid.", "properties": [
        {"key": "coupon", "type": "string"}, {"key": "total", "type": "number", "required": True, "description": "In euros."},
        {"key": "order_id", "type": "string", "required": True}, {"key": "isGift", "type": "boolean"},
        {"key": "items", "type": "array"}, {"key": "address", "type": "object"}, {"key": "anything"},
        {"key": "state", "type": "string", "values": ["paid", "open"]}]},
    {"type": "track", "name": "App Opened"},
    {"type": "identify", "properties": [{"key": "email", "type": "string", "required": True}]},
    {"type": "group", "properties": [{"key": "name", "type": "string"}]},
    {"type": "screen", "name": "Home", "properties": [{"key": "tab", "type": "number"}]},
    {"type": "page", "name": "Prices", "properties": [{"key": "currency", "type": "string"}]},
    {"type": "page"},
]}
# Names that a language has already, that become the same name in code, or that could end a text or a comment.
NAMES = [
    "String", "Analytics", "JSON", "JSONObject", "Any", "class", "self", "init", "Type", "CodingKeys", "codingKeys", "Tracker", "Object", "Double",
    "Unit", "AnalyticsEvent", "Encodable", "name", "title", "description", "hashValue", "rawValue", "encode", "order completed", "Order-Completed",
    "ORDER_COMPLETED", "2 for 1", "🍋", "💥", "\u202egnp", '"); exit(1); ("', "\\(1)", "${1}", "a\nb", "*/ x /*", "*//*/", "é", "e\u0301",
    "Заказ оформлен", "注文", "العربية", "a\u2028b", "a\0b", "`", "//", "'", "track", "identify", "put", "super", "eval", "default", "async", "𝒜",
    "constructor", "__proto__", "long name " * 100,
]


def hostile_plan():
    values = [name[:100] for name in NAMES if name != "e\u0301"] + [""]
    keys = [{"key": name[:60], **({"values": values} if kind == "string" and index % 12 == 0 else {}), "type": kind, "required": index % 2 == 0, "description": f"{name} */ \" \u202e"[:500]}
            for index, (name, kind) in enumerate(zip(NAMES, ["string", "number", "boolean", "object", "array", None] * len(NAMES)))]
    events = [{"type": kind, "name": name, "description": f"*/ \n {name} \u2028"[:500], "properties": keys}
              for kind in ("track", "identify", "group", "screen", "page") for name in NAMES]
    return {"events": events}


class PlanCodeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def code(self, plan, language, name):
        """Writes the types of a plan into a file, and returns its text."""
        (self.folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
        run = subprocess.run([PROGRAM, "plan", "code", self.folder / "plan.json", "--language", language, "--output", self.folder / name],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        return (self.folder / name).read_text(encoding="utf-8")

    def compiled(self, *command):
        """Whether a compiler takes the code, and what it says."""
        run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=300)
        return run.returncode == 0, run.stdout + run.stderr

    # TypeScript

    def type_script(self, name):
        return self.compiled("tsc", "--noEmit", "--strict", "--target", "es2020", "--moduleResolution", "node", name)

    @unittest.skipUnless(shutil.which("tsc"), "the compiler of TypeScript is not installed (scripts/bootstrap test)")
    def test_type_script_finds_an_event_that_is_not_as_planned(self):
        self.code(PLAN, "typescript", "events.ts")
        right = """
            import { orderCompleted, userTraits, groupTraits, pricesPage, page, appOpened, Tracker } from './events';
            export function all(analytics: Tracker) {
              orderCompleted(analytics, { total: 1, order_id: 'o', items: [1], anything: null });
              userTraits(analytics, 'u-1', { email: 'a@example.com' });
              groupTraits(analytics, 'g');
              pricesPage(analytics); page(analytics, 'Other'); appOpened(analytics);
              %s
            }
        """
        for line, is_right in [("", True), ("orderCompleted(analytics, { total: 1, order_id: 'o', state: 'paid' });", True),
                               ("orderCompleted(analytics, { total: 1, order_id: 'o', state: 'lost' });", False),
                               ("orderCompleted(analytics, { total: 1 });", False),
                               ("orderCompleted(analytics, { total: '1', order_id: 'o' });", False),
                               ("orderCompleted(analytics, { total: 1, order_id: 'o', totl: 1 });", False), ("userTraits(analytics, 'u-1', {});", False)]:
            with self.subTest(line=line):
                (self.folder / "app.ts").write_text(right % line, encoding="utf-8")
                taken, words = self.type_script("app.ts")
                self.assertEqual(taken, is_right, words)

    @unittest.skipUnless(shutil.which("tsc"), "the compiler of TypeScript is not installed (scripts/bootstrap test)")
    def test_type_script_takes_hostile_names(self):
        self.code(hostile_plan(), "typescript", "events.ts")
        taken, words = self.type_script("events.ts")
        self.assertTrue(taken, words[:3000])

    # Swift

    def swift(self, name, *more):
        """Checks the types of a file with the client's modules, which the build of the program has left."""
        build = PROGRAM.parent
        maps = [*ROOT.glob("Sources/C*/module.modulemap"), *ROOT.glob("Sources/C*/include/module.modulemap"), *build.glob("C*.build/module.modulemap")]
        if shutil.which("swiftc") is None or not (build / "Modules/Tributary.swiftmodule").exists():
            self.skipTest("there is no compiler of Swift, or no build of the client")
        options = [option for each in maps for option in ("-Xcc", f"-fmodule-map-file={each}")]
        return self.compiled("swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-I", build / "Modules", *options, name, *more)

    def test_swift_finds_an_event_that_is_not_as_planned(self):
        self.code(PLAN, "swift", "Events.swift")
        right = """
            import Tributary
            func all(_ analytics: Analytics) {
                analytics.track(OrderCompleted(total: 1, orderId: "o", items: [1]))
                analytics.identify(userId: "u-1", traits: UserTraits(email: "a@example.com"))
                analytics.group(groupId: "g", traits: GroupTraits(name: "n"))
                analytics.screen(title: HomeScreen.title, properties: HomeScreen(tab: 1))
                analytics.track(AppOpened())
                %s
            }
        """
        for line, is_right in [("", True), ('_ = OrderCompleted(total: 1, orderId: "o", state: .paid)', True),
                               ('_ = OrderCompleted(total: 1, orderId: "o", state: "paid")', False), ("_ = OrderCompleted(total: 1)", False), ('_ = OrderCompleted(total: "1", orderId: "o")', False),
                               ("_ = UserTraits()", False)]:
            with self.subTest(line=line):
                (self.folder / "App.swift").write_text(right % line, encoding="utf-8")
                taken, words = self.swift("App.swift", "Events.swift")
                self.assertEqual(taken, is_right, words)

    def test_swift_takes_hostile_names(self):
        self.code(hostile_plan(), "swift", "Events.swift")
        taken, words = self.swift("Events.swift")
        self.assertTrue(taken, words[:3000])


if __name__ == "__main__":
    unittest.main()
