import Synchronization
import WorkspaceCore

/// The bytes of all bodies that are in memory now. May be used from any thread.
///
/// Senders that have not shown a key share a small part, and those with a key leave a quarter to administrators. So
/// bodies never use more memory than was allowed, and each group only refuses itself.
final class BodyMemory: Sendable {
    /// The known facts about the sender of a body.
    enum Sender: Sendable {
        case unknown
        /// It has shown the write key of a source.
        case source
        case administrator
    }

    /// The most bytes of all bodies together.
    let limit: Int
    private let taken = Mutex(Taken())

    private struct Taken {
        var unknown = 0
        var all = 0
    }

    init(limit: Int) { self.limit = limit }

    /// The bytes that bodies have now.
    var bytes: Int { taken.withLock(\.all) }

    /// The bytes at which a sender is asked to come again.
    func share(of sender: Sender) -> Int {
        switch sender {
        case .unknown: min(limit / 8, Limits.bodiesOfUnknownSenders)
        case .source: limit - limit / 4
        case .administrator: limit
        }
    }

    /// - Throws: 503 when there is no room.
    fileprivate func take(_ bytes: Int, for sender: Sender) throws(Refusal) {
        let hasRoom = taken.withLock { taken in
            let used = sender == .unknown ? taken.unknown : taken.all
            guard used + bytes <= share(of: sender), taken.all + bytes <= limit else { return false }
            taken.all += bytes
            if sender == .unknown { taken.unknown += bytes }
            return true
        }
        guard !hasRoom else { return }
        var error = Refusal(
            .unavailable,
            sender == .unknown
                ? "too many bodies without a write key in a header or the query are being read; try again"
                : "too many bodies are being read; try again",
            retryAfter: 1)
        error.endsConnection = true
        throw error
    }

    fileprivate func giveBack(_ bytes: Int, of sender: Sender) {
        taken.withLock { taken in
            taken.all -= bytes
            if sender == .unknown { taken.unknown -= bytes }
        }
    }
}

/// The memory of the body of one request, given back when the loan is no longer used. May be used from any thread.
final class BodyLoan: Sendable {
    private let memory: BodyMemory
    private let state: Mutex<(bytes: Int, sender: BodyMemory.Sender)>

    init(_ memory: BodyMemory, _ sender: BodyMemory.Sender) {
        self.memory = memory
        state = Mutex((0, sender))
    }

    deinit { state.withLock { memory.giveBack($0.bytes, of: $0.sender) } }

    /// The loan of the request of the administration that is answered now.
    @TaskLocal static var current: BodyLoan?

    func take(_ bytes: Int) throws(Refusal) {
        try state.withLock { state throws(Refusal) in
            try memory.take(bytes, for: state.sender)
            state.bytes += bytes
        }
    }

    /// Notes that more is known of the sender.
    func know(_ sender: BodyMemory.Sender) throws(Refusal) {
        try state.withLock { state throws(Refusal) in
            guard sender != state.sender else { return }
            let (bytes, before) = (state.bytes, state.sender)
            memory.giveBack(bytes, of: before)
            state = (0, sender)
            try memory.take(bytes, for: sender)
            state.bytes = bytes
        }
    }
}
