package import TributaryJSON

/// Takes requests, and says how many of them are stored: the journal of one machine, or the log of a cluster. May be used from any task.
package protocol Intake: Sendable {
    /// Puts a request where it is safe; when this returns, the request may be acknowledged.
    /// - Parameter plain: the body, inflated.
    /// - Returns: its place, by which its outcome is found; nil where no outcomes are known.
    /// - Throws: `Refusal` when it cannot be taken now.
    func append(_ request: AcceptedRequest, plain: [UInt8]) async throws -> UInt64?

    /// Waits until the request at a place is stored, but not longer than that.
    func reach(_ place: UInt64, within duration: Duration) async

    /// Waits for the requests that were acknowledged before, unless a long backlog was met a moment ago.
    /// - Returns: how many requests still wait.
    func wait(atMost duration: Duration) async -> Int

    /// The end of what was acknowledged.
    func mark() async throws -> IntakeMark

    /// Waits for everything up to a mark.
    /// - Returns: whether all of it is stored.
    func isStored(_ mark: IntakeMark, within duration: Duration) async -> Bool

    /// Removes the bytes of requests up to a mark, which are stored.
    func forget(_ mark: IntakeMark) async throws

    var state: IntakeState { get async }
}

/// The end of what was acknowledged, as a place in each partition of the log. One machine has one partition.
package struct IntakeMark: Sendable, Equatable {
    package let places: [UInt64]

    package init(places: [UInt64]) { self.places = places }
}

/// Whether the server takes requests, and how many wait to be stored.
package struct IntakeState: Sendable, Equatable {
    package enum Status: String, Sendable {
        case ready
        case storageFails = "storage fails"
        case tooMuchWaits = "too much waits"
        /// The log of a cluster, or its record of places, does not answer.
        case logFails = "log fails"
    }

    package let status: Status
    package let waitingRequests: Int
    /// 0 in a cluster, which does not count bytes.
    package let waitingBytes: Int

    package init(status: Status, waitingRequests: Int, waitingBytes: Int) {
        (self.status, self.waitingRequests, self.waitingBytes) = (status, waitingRequests, waitingBytes)
    }

    package var isReady: Bool { status == .ready }

    package var json: JSONObject {
        [
            "status": .string(status.rawValue), "waitingRequests": .number(waitingRequests),
            "waitingBytes": .number(waitingBytes),
        ]
    }
}
