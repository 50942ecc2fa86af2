import Foundation
import Measuring
import Tributary

/// How often a client wakes the device in an hour without events, when a server holds its request for settings, and when the
/// client asks at its interval.
struct PushBenchmark {
    struct Parameters: Decodable {
        let folder: String
    }

    private static let hour = 3600.0

    static func run(_ parameters: Parameters) throws {
        let (held, requests) = try moments(isPushed: true, in: parameters.folder + "/push")
        let (asked, asks) = try moments(isPushed: false, in: parameters.folder + "/interval")
        try Measurement(
            "push-wake-ups", Double(held), floor: Double(asked),
            details: ["requests": Double(requests), "floor_requests": Double(asks)]
        ).report()
    }

    /// The moments in an hour at which a timer or an answer is due, and the requests for settings.
    private static func moments(isPushed: Bool, in folder: String) throws -> (moments: Int, requests: Int) {
        let clock = SteppedClock()
        let server = HoldingServer(clock)
        let analytics = Analytics(
            configuration: Configuration(writeKey: "benchmark").settingsPush(isPushed)
                .storageMode(.diskAtURL(URL(fileURLWithPath: folder))).timeSource(clock).transport(server))
        try QuietProcess.rest()
        _ = try pass(until: clock.uptime + 120, clock)
        let before = server.requests
        let moments = try pass(until: clock.uptime + hour, clock)
        let requests = server.requests - before
        let ended = DispatchSemaphore(value: 0)
        analytics.shutdown { ended.signal() }
        guard ended.wait(timeout: .now() + 60) == .success else { throw Failure("the client does not end") }
        return (moments, requests)
    }

    private static func pass(until moment: TimeInterval, _ clock: SteppedClock) throws -> Int {
        var moments = 0
        while let due = clock.nextDue, due < moment {
            clock.move(to: due)
            try QuietProcess.rest()
            moments += 1
        }
        clock.move(to: moment)
        try QuietProcess.rest()
        return moments
    }
}

/// Answers a request for settings at once, or after its time when it asks to be held. Nothing ever changes.
///
/// Unchecked because what changes stands behind the lock.
private final class HoldingServer: Transport, @unchecked Sendable {
    private static let heldSeconds = 45.0

    private let clock: SteppedClock
    private let queue = DispatchQueue(label: "server")
    private let lock = NSLock()
    private var count = 0

    init(_ clock: SteppedClock) { self.clock = clock }

    /// How many requests for settings came.
    var requests: Int { lock.withLock { count } }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        lock.withLock { count += 1 }
        guard request.url.query == nil else {
            _ = clock.schedule(after: Self.heldSeconds, on: queue) {
                completion(.success(TransportResponse(status: 304)))
            }
            return
        }
        let settings = #"{"integrations":{},"settingsPush":{"seconds":45}}"#
        completion(.success(TransportResponse(status: 200, headers: ["ETag": "\"1\""], body: Array(settings.utf8))))
    }
}
