"""What scripts/check-apple says about private symbols of JavaScriptCore."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/support"))

from private_symbols import private_uses  # noqa: E402


class PrivateSymbolsTest(unittest.TestCase):
    def test_private_symbol_for_all_systems_is_found(self):
        self.assertEqual(list(private_uses("a()\nJSGetMemoryUsageStatistics(x)\n")), [(2, "JSGetMemoryUsageStatistics(x)")])

    def test_private_symbol_for_linux_alone_is_none(self):
        text = "#if canImport(CTributaryJavaScriptCore)\nlet a = EngineSymbols.setTimeLimit\n#else\nlet a = 1\n#endif\n"
        self.assertEqual(list(private_uses(text)), [])

    def test_other_branch_of_the_condition_is_for_all_systems(self):
        text = "#if canImport(CTributaryJavaScriptCore)\n#elseif canImport(JavaScriptCore)\nJSGetMemoryUsageStatistics(x)\n#endif\n"
        self.assertEqual([number for number, _ in private_uses(text)], [3])

    def test_condition_that_apple_meets_too_hides_nothing(self):
        text = "#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)\ndlsym(a, b)\n#endif\n"
        self.assertEqual([number for number, _ in private_uses(text)], [2])

    def test_sources_use_none(self):
        for folder in ["Sources/TributaryScript", "Sources/AnalyticsLive"]:
            for path in sorted((ROOT / folder).rglob("*.swift")):
                self.assertEqual(list(private_uses(path.read_text())), [], path)
