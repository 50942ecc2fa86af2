import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Files of analytics-swift")
struct AnalyticsSwiftTests {
    private func batch(_ name: String) throws -> AnalyticsSwiftBatch {
        AnalyticsSwiftBatch(try Golden.bytes("analytics-swift/events/" + name))
    }

    private func names(_ batch: AnalyticsSwiftBatch) -> [String] {
        batch.events.compactMap { $0["event"]?.stringValue }
    }

    @Test("Ids and traits of analytics-swift are read, with numbers that its encoder splits")
    func user() throws {
        let values = try #require(try Golden.swiftPreferences()["com.segment.storage.KEY"])
        let found = AnalyticsSwiftUser { values[$0] }
        #expect(found.problems.isEmpty)
        #expect(found.user.anonymousId == "5C1B4B4E-0C43-4F4B-9E2C-0B1C1F0E9A01")
        #expect(found.user.userId == "u-1")
        let traits: JSONObject = [
            "plan": "pro", "age": 42, "price": 19.99, "debt": -70_000, "zero": 0, "nothing": .null,
            "address": ["city": "Zürich"], "tags": ["a", "b"], "beta": true,
        ]
        #expect(found.user.traits == traits)
    }

    @Test("A decimal that Foundation encoded becomes a number again")
    func decimals() throws {
        for text in ["0", "1", "-1", "19.99", "-0.001", "12345678901234567890123456789", "1e20"] {
            let decimal = try #require(Decimal(string: text))
            let bytes = [UInt8](try PropertyListEncoder().encode(["value": decimal]))
            #expect(try PropertyList.json(bytes)["value"] == JSON.parse(text), "\(text)")
        }
    }

    @Test("Preferences of analytics-swift are read from their file on Linux")
    func preferenceFile() throws {
        let folder = try TemporaryFolder()
        let file = Golden.folder.appendingPathComponent("analytics-swift/com.segment.storage.KEY.plist")
        let place = folder.url.appendingPathComponent(".config")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: file, to: place.appendingPathComponent(file.lastPathComponent))
        let values = PreferenceFile(domain: "com.segment.storage.KEY", environment: ["HOME": folder.url.path])?.values
        #expect(values?["segment.userId"] as? String == "u-1")
        let moved = ["HOME": "/nowhere", "XDG_CONFIG_HOME": place.path]
        #expect(PreferenceFile(domain: "com.segment.storage.KEY", environment: moved) != nil)
        #expect(PreferenceFile(domain: "../.config/com.segment.storage.KEY", environment: moved) == nil)
        #expect(PreferenceFile(domain: "com.segment.storage.OTHER", environment: moved) == nil)
    }

    @Test("Damaged traits are reported, and the ids stay")
    func damagedTraits() {
        for traits: Any in [Data([1, 2, 3]), "text", Data("bplist00".utf8), 7] {
            let found = AnalyticsSwiftUser { $0 == "segment.traits" ? traits : "id" }
            #expect(found.user.userId == "id")
            #expect(found.user.traits.isEmpty)
            #expect(found.problems.count == 1, "\(traits)")
        }
    }

    @Test("An empty id is not taken over", arguments: ["", String(repeating: "x", count: 2000)])
    func strangeIds(id: String) { #expect(AnalyticsSwiftUser { _ in id }.user.anonymousId == nil) }

    @Test("A finished file is read, with texts that look like its punctuation")
    func closed() throws {
        let batch = try batch("2-segment-events.temp")
        #expect(names(batch) == ["E1", "E2"])
        #expect(batch.torn == 0)
        #expect(batch.events.last?["properties"]?["text"] == #"braces }{ and ,{" quoted \" ü"#)
    }

    @Test("An unfinished file and one with only a header are read")
    func open() throws {
        #expect(try batch("11-segment-events").events.map { $0["messageId"] } == ["m-4", "m-5"])
        #expect(try batch("11-segment-events").torn == 0)
        #expect(try batch("12-segment-events").events.isEmpty)
        #expect(try batch("12-segment-events").torn == 0)
    }

    @Test("A torn end of a file costs the torn event only")
    func torn() throws {
        let batch = try batch("13-segment-events")
        #expect(names(batch) == ["E6"])
        #expect(batch.torn == 1)
    }

    @Test("Events after a torn one are found, also on the same line")
    func tornMiddle() throws {
        let batch = try batch("14-segment-events")
        #expect(names(batch) == ["E8", "E10", "E11"])
        #expect(batch.torn == 1)
    }

    @Test("A truncated file gives its complete events")
    func cutAnywhere() throws {
        let bytes = try Golden.bytes("analytics-swift/events/2-segment-events.temp")
        let newlines = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        for length in 0...bytes.count {
            let batch = AnalyticsSwiftBatch(Array(bytes[..<length]))
            let whole = newlines.dropFirst().prefix(2).filter { $0 <= length }.count
            #expect(batch.events.count == whole, "of \(length) bytes")
            #expect(batch.torn <= 1)
        }
    }

    @Test("Foreign bytes give no event and no crash")
    func hostile() {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array(#"{}[]",:\ab1\#n "#.utf8)
        for _ in 0..<300 {
            let bytes = (0..<200).map { _ in alphabet[Int(random.next(upperBound: UInt64(alphabet.count)))] }
            _ = AnalyticsSwiftBatch(bytes)
        }
        let nested = Array(repeating: UInt8(ascii: "{"), count: 100_000)
        #expect(AnalyticsSwiftBatch(nested).events.isEmpty)
        let pieces = String(repeating: #"{x},{"type":1}"#, count: 20_000)
        #expect(AnalyticsSwiftBatch(Array(pieces.utf8)).torn > 0)
    }

    @Test("Files are read in the order of their numbers, and others are ignored")
    func order() throws {
        let files = try LegacySDKEventFile.analyticsSwift(
            in: Golden.folder.appendingPathComponent("analytics-swift/events"), names: Migration.automatic.names)
        #expect(files.map { $0.url.lastPathComponent.prefix { $0 != "-" } } == ["2", "10", "11", "12", "13", "14"])
    }
}
