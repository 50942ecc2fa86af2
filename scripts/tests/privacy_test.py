"""What the privacy manifests tell the App Store is what the sources do, target by target."""

import pathlib
import plistlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
NAME = "PrivacyInfo.xcprivacy"

# Calls for which Apple wants a reason, by category:
# https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api
CALLS = {
    "SystemBootTime": r"\bsystemUptime\b|\bmach_absolute_time\b",
    "FileTimestamp":
        r"\bf?l?stat\(|\bfstatat\b|\bf?getattrlist(at|bulk)?\b|\bcreationDate(Key)?\b"
        r"|\b(file|content)?[mM]odificationDate(Key)?\b",
    "UserDefaults": r"\bUserDefaults\b|\bCFPreferences|\bAppStorage\b",
    "DiskSpace": r"\bf?statv?fs\b|\bvolume(Available|Total)Capacity|\bsystem(Free)?Size\b",
    "ActiveKeyboards": r"\bactiveInputModes\b",
}
# What each module that an app links can collect: an app's own report is made of these.
COLLECTED = {
    # The last two: health reports.
    "Tributary": {"ProductInteraction", "UserID", "DeviceID", "PerformanceData", "OtherDiagnosticData"},
    "TributaryJournal": set(),
    # Signals: what is typed (a debug build's choice), titles and bodies of requests.
    "AnalyticsLive": {
        "ProductInteraction", "OtherUserContent", "OtherDataTypes", "PerformanceData", "OtherDiagnosticData"},
    "AnalyticsCompat": {"ProductInteraction", "PurchaseHistory", "UserID", "DeviceID"},
}


def code(folder):
    files = [file for ending in ("swift", "c", "h", "m") for file in folder.rglob("*." + ending)]
    return "\n".join(line.split("//")[0] for file in files for line in file.read_text("utf-8").splitlines())


def used(text):
    return {category for category, pattern in CALLS.items() if re.search(pattern, text)}


def manifest(name):
    file = SOURCES / name / NAME
    return plistlib.loads(file.read_bytes()) if file.exists() else None


def declared(content):
    entries = content["NSPrivacyAccessedAPITypes"] if content else []
    return {entry["NSPrivacyAccessedAPIType"].removeprefix("NSPrivacyAccessedAPICategory") for entry in entries}


def targets():
    return sorted(folder.name for folder in SOURCES.iterdir() if folder.is_dir())


class PrivacyTest(unittest.TestCase):
    def test_each_target_declares_exactly_the_calls_that_it_makes(self):
        for name in targets():
            with self.subTest(target=name):
                self.assertEqual(used(code(SOURCES / name)), declared(manifest(name)))

    def test_each_module_says_what_it_can_collect_and_why_and_that_it_does_not_track(self):
        self.assertEqual(sorted(COLLECTED), [name for name in targets() if manifest(name)])
        package = (ROOT / "Package.swift").read_text("utf-8")
        for name, kinds in COLLECTED.items():
            with self.subTest(target=name):
                content = manifest(name)
                entries = content["NSPrivacyCollectedDataTypes"]
                found = {entry["NSPrivacyCollectedDataType"].removeprefix("NSPrivacyCollectedDataType") for entry in entries}
                self.assertEqual(kinds, found)
                self.assertEqual({False}, {entry["NSPrivacyCollectedDataTypeTracking"] for entry in entries} | {False})
                self.assertTrue(all(entry["NSPrivacyAccessedAPITypeReasons"] for entry in content["NSPrivacyAccessedAPITypes"]))
                self.assertEqual((False, []), (content["NSPrivacyTracking"], content["NSPrivacyTrackingDomains"]))
                target = re.search(r"\.target\(\s*name: \"" + name + r"\",.*?swiftSettings", package, re.S)[0]
                self.assertIn("resources: privacyManifest", target)
                self.assertIn("notResources", target)

    def test_no_source_tracks_a_person_wakes_the_app_or_reads_the_name_of_the_device(self):
        # A task that the app starts itself, and that ends by itself, is `performExpiringActivity`.
        wakes = (
            r"\bBGTaskScheduler\b|\bbeginBackgroundTask\b|setMinimumBackgroundFetchInterval|\bCLLocationManager\b"
            r"|\bPKPushRegistry\b|\bNSBackgroundActivityScheduler\b|\bWKRefreshBackgroundTask\b")
        text = code(SOURCES)
        for pattern in (
            r"\bAdSupport\b|advertisingIdentifier|AppTrackingTransparency", wakes,
            r"UIDevice\.current\.name|\bwatch\.name\b|Host\.current\(\)",
        ):
            self.assertEqual([], re.findall(pattern, text))
        for file in SOURCES.rglob("*.swift"):
            text = file.read_text("utf-8")
            if "background(withIdentifier" in text:
                self.assertIn("sessionSendsLaunchEvents = false", text, file)

    def test_a_call_is_noticed(self):
        for call, category in {
            "let date = try url.resourceValues(forKeys: [.contentModificationDateKey])": "FileTimestamp",
            "fstat(descriptor, &status)": "FileTimestamp", "lstat(path, &status)": "FileTimestamp",
            "ProcessInfo.processInfo.systemUptime": "SystemBootTime", "mach_absolute_time()": "SystemBootTime",
            "UserDefaults.standard": "UserDefaults", "statvfs(path, &status)": "DiskSpace",
            "attributes[.systemFreeSize]": "DiskSpace", "UITextInputMode.activeInputModes": "ActiveKeyboards",
        }.items():
            self.assertEqual({category}, used(call), call)
