import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Files of analytics-ios")
struct AnalyticsIOSTests {
    private func files(_ folder: String) -> AnalyticsIOSFiles {
        AnalyticsIOSFiles(file: { try Golden.bytes("\(folder)/\($0)") }, preference: { _ in nil })
    }

    @Test("Ids and traits of analytics-ios are read, without ids among the traits")
    func json() {
        let found = files("analytics-ios")
        #expect(found.problems.isEmpty)
        #expect(
            found.user
                == LegacySDKUser(anonymousId: "ios-anon", userId: "ios-user", traits: ["plan": "free", "age": 7]))
    }

    @Test("Property lists of older versions of analytics-ios are read")
    func propertyLists() {
        let found = files("analytics-ios-plist")
        #expect(found.problems.isEmpty)
        let traits: JSONObject = ["plan": "old", "since": "2015-01-02T03:04:05.000Z"]
        #expect(found.user == LegacySDKUser(anonymousId: "old-anon", userId: "old-user", traits: traits))
    }

    @Test("On tvOS ids of analytics-ios come from preferences")
    func preferences() {
        let values: [String: Any] = ["SEGAnonymousId": "tv", "SEGUserId": "u", "SEGTraits": ["plan": "tv"]]
        let found = AnalyticsIOSFiles(file: { _ in nil }, preference: { values[$0] })
        #expect(found.user == LegacySDKUser(anonymousId: "tv", userId: "u", traits: ["plan": "tv"]))
    }

    @Test("The queue of analytics-ios is read in both forms", arguments: ["analytics-ios", "analytics-ios-plist"])
    func queue(folder: String) throws {
        let events = try AnalyticsIOSFiles.queue(Golden.bytes("\(folder)/segmentio.queue.plist"))
        #expect(events.map { $0["type"] } == ["track", "screen"])
        #expect(events.first?["messageId"] == "i-1")
        #expect(events.first?["timestamp"] == "2026-01-01T00:00:01.000Z")
    }

    @Test("An encrypted or damaged file is reported by name, and the others are read")
    func damaged() throws {
        let found = AnalyticsIOSFiles(
            file: { $0 == "segmentio.traits.plist" ? [0xC3, 0x28, 0x00] : try Golden.bytes("analytics-ios/\($0)") },
            preference: { _ in nil })
        #expect(found.user.userId == "ios-user")
        #expect(found.problems.count == 1)
        #expect(found.problems.first?.contains("segmentio.traits.plist") == true)
        #expect(throws: MigrationError.self) { try AnalyticsIOSFiles.queue([0xC3, 0x28]) }
        #expect(throws: MigrationError.self) { try AnalyticsIOSFiles.queue(Array(#"{"a":1}"#.utf8)) }
        #expect(throws: MigrationError.self) { try AnalyticsIOSFiles.queue(Array("[1]".utf8)) }
    }

    static let user = LegacySDKUser(
        anonymousId: "7B3E4A0C-9A53-4D0B-8F0A-2D6C1E5F0A77", userId: "u-77",
        traits: ["plan": "pro", "address": ["city": "Wörgl"], "newsletter": .null])

    private static let decrypt: Migration.Decrypt = { AES256.golden.decrypt($0) }

    @Test(
        "Files of the last analytics-ios are read, plain and encrypted, and older plain files also with a key",
        arguments: [("analytics-ios-4.1", false), ("analytics-ios-4.1", true), ("analytics-ios-encrypted", true)])
    func lastVersion(folder: String, isDecrypting: Bool) throws {
        let decrypt = isDecrypting ? Self.decrypt : nil
        let found = AnalyticsIOSFiles(
            file: { try Golden.bytes("\(folder)/\($0)") }, preference: { _ in nil }, decrypt: decrypt)
        #expect(found.problems.isEmpty)
        #expect(found.user == Self.user)
        let events = try AnalyticsIOSFiles.queue(Golden.bytes("\(folder)/segmentio.queue.plist"), decrypt: decrypt)
        #expect(events.map { $0["type"] } == ["identify", "track", "screen", "group", "alias"])
        #expect(events[1]["properties"]?["url"] == "https://shop.example/a")
        #expect(events[1]["properties"]?["coupon"] == .null)
    }

    @Test("Preferences of tvOS are read, plain and encrypted", arguments: [false, true])
    func encryptedPreferences(isEncrypted: Bool) throws {
        let name = isEncrypted ? "com.example.shop-encrypted.plist" : "com.example.shop.plist"
        let values = try PropertyList.dictionary(Golden.bytes("analytics-ios-tvos/\(name)"))
        let found = AnalyticsIOSFiles(
            file: { _ in nil }, preference: { values[$0] }, decrypt: isEncrypted ? Self.decrypt : nil)
        #expect(found.problems.isEmpty)
        #expect(
            found.user == LegacySDKUser(anonymousId: Self.user.anonymousId, userId: "u-77", traits: ["plan": "pro"]))
    }

    @Test("Encrypted files without the right key are reported and not read")
    func otherKey() throws {
        let other = AES256(key: Array(0..<32), iv: Array(0..<16))
        for decrypt in [nil, { other.decrypt($0) }] as [Migration.Decrypt?] {
            let found = AnalyticsIOSFiles(
                file: { try Golden.bytes("analytics-ios-encrypted/\($0)") }, preference: { _ in nil }, decrypt: decrypt)
            #expect(found.user.isEmpty)
            #expect(found.problems.count == 3)
            #expect(found.problems.allSatisfy { $0.contains("encrypt") })
            #expect(throws: MigrationError.self) {
                try AnalyticsIOSFiles.queue(
                    Golden.bytes("analytics-ios-encrypted/segmentio.queue.plist"), decrypt: decrypt)
            }
        }
    }

    @Test(
        "A truncated queue of analytics-ios is refused as a whole",
        arguments: ["analytics-ios", "analytics-ios-4.1", "analytics-ios-plist"])
    func truncatedQueue(folder: String) throws {
        let whole = try Golden.bytes("\(folder)/segmentio.queue.plist")
        let end = whole.lastIndex { $0 != UInt8(ascii: "\n") } ?? whole.count
        for count in stride(from: 0, to: end, by: whole.count > 2000 ? 13 : 1) {
            #expect(throws: MigrationError.self) { try AnalyticsIOSFiles.queue(Array(whole[..<count])) }
        }
    }

    @Test("The folders of analytics-ios are found on each system")
    func places() {
        let (support, caches) = (URL(fileURLWithPath: "/support"), URL(fileURLWithPath: "/caches"))
        func paths(_ system: MigrationPlaces.System, _ executable: String? = "Shop") -> [String] {
            MigrationPlaces.analyticsIOS(on: system, support: support, caches: caches, executable: executable)
                .map(\.path)
        }
        #expect(paths(.sandboxed) == ["/support"])
        #expect(paths(.tvOS) == ["/caches", "/support"])
        #expect(paths(.macOS) == ["/support/Shop", "/support/Shop-segment"])
        #expect(paths(.macOS, nil).isEmpty)
        #expect(paths(.other).isEmpty)
    }

    @Test("The app's version is read, also from very old versions")
    func application() {
        let new: [String: Any] = ["SEGVersionKey": "2.1", "SEGBuildKeyV2": "77"]
        #expect(LegacySDKApplication { new[$0] } == LegacySDKApplication(version: "2.1", build: "77"))
        let old: [String: Any] = ["SEGVersionKey": "1.0", "SEGBuildKey": 5]
        #expect(LegacySDKApplication { old[$0] } == LegacySDKApplication(version: "1.0", build: "5"))
        #expect(LegacySDKApplication { _ in nil } == nil)
    }
}
