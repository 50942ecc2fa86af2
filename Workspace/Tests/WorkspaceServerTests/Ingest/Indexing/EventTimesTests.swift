import Testing

@testable import WorkspaceServer

@Suite struct EventTimesTests {
    private let received: Int64 = 1_000_000_000_000
    private let hour: Int64 = 3_600_000

    private func timestamp(_ original: Int64?, _ sent: Int64?, fromUpload: Bool = false) -> Int64 {
        EventTimes(originalTimestamp: original, sentAt: sent, sentAtIsFromUpload: fromUpload, receivedAt: received)
            .timestamp
    }

    @Test func theErrorOfTheDevicesClockIsTakenOut() {
        // The device is 10 minutes ahead and tracked 5 seconds before it sent.
        #expect(timestamp(received + 595_000, received + 600_000) == received - 5_000)
    }

    @Test func withoutAnOriginalTimeItIsTheTimeOfArrival() {
        #expect(timestamp(nil, received) == received)
    }

    @Test func withoutSentAtTheOriginalTimeStands() {
        #expect(timestamp(received - 7, nil) == received - 7)
    }

    @Test func sentBeforeTrackedCorrectsNothing() {
        #expect(timestamp(received - 7, received - 8) == received - 7)
    }

    @Test func aBatchFileThatWaitedOfflineCorrectsNothing() {
        let tracked = received - 72 * hour
        #expect(timestamp(tracked, tracked + 1_000) == tracked)
    }

    @Test func aTimeFromTheUploadIsTakenAtItsWord() {
        let tracked = received - 72 * hour
        #expect(timestamp(tracked, tracked + 1_000, fromUpload: true) == received - 1_000)
    }

    @Test("a clock that is fast by hours is corrected; one that is slow by hours may be a batch that waited")
    func clocksThatAreWrongByHours() {
        #expect(timestamp(received + 2 * hour - 5_000, received + 2 * hour) == received - 5_000)
        #expect(timestamp(received + 900 * hour - 5_000, received + 900 * hour) == received - 5_000)
        #expect(timestamp(received - 2 * hour - 5_000, received - 2 * hour) == received - 2 * hour - 5_000)
    }
}
