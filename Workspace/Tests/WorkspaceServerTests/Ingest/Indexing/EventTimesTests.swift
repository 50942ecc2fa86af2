import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct EventTimesTests {
    private let received: Int64 = 1_000_000_000_000
    private let hour: Int64 = 3_600_000

    private func timestamp(_ original: Int64?, _ sent: Int64?, fromUpload: Bool = false) -> Int64 {
        EventTimes(originalTimestamp: original, sentAt: sent, sentAtIsFromUpload: fromUpload, receivedAt: received)
            .timestamp
    }

    @Test("The timestamp corrects the error of a device clock")
    func clockError() {
        // The device is 10 minutes ahead and tracked 5 seconds before it sent.
        #expect(timestamp(received + 595_000, received + 600_000) == received - 5_000)
    }

    @Test("Without an original time, the timestamp is the time of arrival")
    func noOriginalTime() {
        #expect(timestamp(nil, received) == received)
    }

    @Test("Without sentAt, the timestamp is the original time")
    func noSentAt() {
        #expect(timestamp(received - 7, nil) == received - 7)
    }

    @Test("A sentAt before the original time corrects nothing")
    func sentBeforeTracked() {
        #expect(timestamp(received - 7, received - 8) == received - 7)
    }

    @Test("The sentAt of a batch that waited offline corrects nothing")
    func waitingBatch() {
        let tracked = received - 72 * hour
        #expect(timestamp(tracked, tracked + 1_000) == tracked)
    }

    @Test("The sentAt of an upload corrects the timestamp by any time")
    func uploadTime() {
        let tracked = received - 72 * hour
        #expect(timestamp(tracked, tracked + 1_000, fromUpload: true) == received - 1_000)
    }

    @Test("A clock that is fast by hours is corrected, and a clock that is slow by hours is not")
    func wrongByHours() {
        #expect(timestamp(received + 2 * hour - 5_000, received + 2 * hour) == received - 5_000)
        #expect(timestamp(received + 900 * hour - 5_000, received + 900 * hour) == received - 5_000)
        #expect(timestamp(received - 2 * hour - 5_000, received - 2 * hour) == received - 2 * hour - 5_000)
    }
}
