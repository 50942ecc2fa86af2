import Testing
import TributaryJSON

@testable import Tributary

@Suite("Closures that wait for the event of their call")
struct PendingClosuresTests {
    private let event: JSONObject = ["messageId": "m1"]

    @Test("Closures of a call are given to its event once, and to no other event")
    func turn() {
        var closures = PendingClosures()
        #expect(closures.keep([{ $0 }, { $0 }], for: "m1") == true)
        #expect(closures.take(for: ["messageId": "m2"]).isEmpty)
        #expect(closures.take(for: [:]).isEmpty)
        #expect(closures.take(for: event).count == 2)
        #expect(closures.take(for: event).isEmpty)
    }

    @Test("Closures beyond the limit are not kept")
    func limit() {
        var closures = PendingClosures(limit: 1)
        #expect(closures.keep([{ $0 }], for: "m1") == true)
        #expect(closures.keep([{ $0 }], for: "m2") == false)
        #expect(closures.messageIds == ["m1"])
        _ = closures.take(for: event)
        #expect(closures.keep([{ $0 }], for: "m2") == true)
    }

    @Test("A purge removes the closures of earlier calls, and no closures of later calls")
    func purge() {
        var closures = PendingClosures()
        _ = closures.keep([{ $0 }], for: "m1")
        let given = closures.messageIds
        _ = closures.keep([{ $0 }], for: "m2")
        closures.remove(given)
        #expect(closures.messageIds == ["m2"])
    }
}
