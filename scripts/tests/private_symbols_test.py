"""What scripts/check-apple says about private symbols of JavaScriptCore."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/support"))

from private_symbols import private_uses  # noqa: E402


class PrivateSymbolsTest(unittest.TestCase):
    def test_a_private_symbol_is_found_unless_it_is_for_linux_alone(self):
        for text, places in [
            ("a()\nJSGetMemoryUsageStatistics(x)\n", [2]),
            ("#if canImport(CTributaryJavaScriptCore)\nlet a = EngineSymbols.setTimeLimit\n#else\nlet a = 1\n#endif\n", []),
            # Another branch, and a condition that Apple's systems meet too.
            ("#if canImport(CTributaryJavaScriptCore)\n#elseif canImport(JavaScriptCore)\nJSGetMemoryUsageStatistics(x)\n#endif\n", [3]),
            ("#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)\ndlsym(a, b)\n#endif\n", [2]),
        ]:
            with self.subTest(text):
                self.assertEqual([number for number, _ in private_uses(text)], places)

    def test_sources_use_none(self):
        for folder in ["Sources/TributaryScript", "Sources/AnalyticsLive"]:
            for path in sorted((ROOT / folder).rglob("*.swift")):
                self.assertEqual(list(private_uses(path.read_text())), [], path)
