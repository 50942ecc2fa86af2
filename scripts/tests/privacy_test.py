"""What the privacy manifest tells the App Store is what the client's sources do."""

import pathlib
import plistlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = [ROOT / "Sources" / name for name in ("Tributary", "TributaryJSON", "TributaryJournal")]

# Calls for which Apple wants a reason, by category.
CALLS = {
    "NSPrivacyAccessedAPICategorySystemBootTime": r"\bsystemUptime\b|\bmach_absolute_time\b",
    "NSPrivacyAccessedAPICategoryFileTimestamp": r"\bf?l?stat\(|creationDate|contentModificationDate|\bgetattrlist",
    "NSPrivacyAccessedAPICategoryUserDefaults": r"\bUserDefaults\b|\bCFPreferences",
    "NSPrivacyAccessedAPICategoryDiskSpace": r"\bf?statv?fs\b|volumeAvailableCapacity|systemFreeSize",
    "NSPrivacyAccessedAPICategoryActiveKeyboards": r"\bactiveInputModes\b",
}


def code():
    for folder in SOURCES:
        for path in folder.rglob("*.swift"):
            for line in path.read_text(encoding="utf-8").splitlines():
                yield line.split("//")[0]


class PrivacyTest(unittest.TestCase):
    def setUp(self):
        self.manifest = plistlib.loads((ROOT / "Sources/Tributary/PrivacyInfo.xcprivacy").read_bytes())

    def test_declares_exactly_the_calls_that_are_made(self):
        declared = {entry["NSPrivacyAccessedAPIType"] for entry in self.manifest["NSPrivacyAccessedAPITypes"]}
        text = "\n".join(code())
        used = {category for category, pattern in CALLS.items() if re.search(pattern, text)}
        self.assertEqual(declared, used)

    def test_each_call_has_a_reason(self):
        for entry in self.manifest["NSPrivacyAccessedAPITypes"]:
            self.assertTrue(entry["NSPrivacyAccessedAPITypeReasons"], entry)

    def test_nobody_is_tracked(self):
        self.assertIs(self.manifest["NSPrivacyTracking"], False)
        self.assertEqual(self.manifest["NSPrivacyTrackingDomains"], [])
        text = "\n".join(code())
        self.assertNotRegex(text, r"\bAdSupport\b|advertisingIdentifier|AppTrackingTransparency")


if __name__ == "__main__":
    unittest.main()
