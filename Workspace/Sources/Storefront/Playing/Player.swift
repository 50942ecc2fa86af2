import Foundation
import ProgramSupport
import Tributary

/// Makes the calls of a programme, at its pace, until the end or an interruption.
struct Player {
    /// Shorter waits are added up until they reach this length.
    private static let shortestWait: TimeInterval = 0.002

    let analytics: Analytics
    let ids: MessageIds
    let ledger: Ledger?
    let pace: Pace
    let time: any TimeSource
    let interruption: Interruption

    /// - Parameter onProgress: called after each event with how many there are.
    /// - Returns: how many events were made.
    func play(_ programme: Programme, onProgress: (Int) -> Void) async throws -> Int {
        let start = time.uptime
        var events = 0
        for index in 0..<programme.callCount {
            if interruption.isRaised { break }
            let call = try programme.call(index)
            try make(call)
            guard call.isEvent else { continue }
            events += 1
            onProgress(events)
            let wait = pace.wait(afterEvents: events, elapsed: time.uptime - start)
            if wait >= Self.shortestWait { try await Task.sleep(nanoseconds: UInt64(wait * 1e9)) }
        }
        return events
    }

    private func make(_ call: Call) throws {
        let made = ids.made { call.perform(on: analytics) }
        guard let ledger, call.isEvent else { return }
        if case .recorded(let event) = call, let id = event.messageId {
            try ledger.note(id)
        } else if let made {
            try ledger.note(made)
        }
    }
}
