import Foundation
import Testing
import TributaryJSON

@testable import Tributary

@Suite("What analytics-ios keeps")
struct AnalyticsIOSTests {
    private func files(_ folder: String) -> AnalyticsIOSFiles {
        AnalyticsIOSFiles(file: { try Golden.bytes("\(folder)/\($0)") }, preference: { _ in nil })
    }

    @Test("ids, and traits without the ids among them")
    func json() {
        let found = files("analytics-ios")
        #expect(found.problems.isEmpty)
        #expect(
            found.user == PeerUser(anonymousId: "ios-anon", userId: "ios-user", traits: ["plan": "free", "age": 7]))
    }

    @Test("the property lists of older versions")
    func propertyLists() {
        let found = files("analytics-ios-plist")
        #expect(found.problems.isEmpty)
        let traits: JSONObject = ["plan": "old", "since": "2015-01-02T03:04:05.000Z"]
        #expect(found.user == PeerUser(anonymousId: "old-anon", userId: "old-user", traits: traits))
    }

    @Test("preferences where there are no files, as on tvOS")
    func preferences() {
        let values: [String: Any] = ["SEGAnonymousId": "tv", "SEGUserId": "u", "SEGTraits": ["plan": "tv"]]
        let found = AnalyticsIOSFiles(file: { _ in nil }, preference: { values[$0] })
        #expect(found.user == PeerUser(anonymousId: "tv", userId: "u", traits: ["plan": "tv"]))
    }

    @Test("the queue, in both forms", arguments: ["analytics-ios", "analytics-ios-plist"])
    func queue(folder: String) throws {
        let events = try AnalyticsIOSFiles.queue(Golden.bytes("\(folder)/segmentio.queue.plist"))
        #expect(events.map { $0["type"] } == ["track", "screen"])
        #expect(events.first?["messageId"] == "i-1")
        #expect(events.first?["timestamp"] == "2026-01-01T00:00:01.000Z")
    }

    @Test("an encrypted or damaged file is named, and the others are read")
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

    @Test("the app's version, also with the number of very old versions")
    func application() {
        let new: [String: Any] = ["SEGVersionKey": "2.1", "SEGBuildKeyV2": "77"]
        #expect(PeerApplication { new[$0] } == PeerApplication(version: "2.1", build: "77"))
        let old: [String: Any] = ["SEGVersionKey": "1.0", "SEGBuildKey": 5]
        #expect(PeerApplication { old[$0] } == PeerApplication(version: "1.0", build: "5"))
        #expect(PeerApplication { _ in nil } == nil)
    }
}
