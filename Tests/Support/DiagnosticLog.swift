import Foundation
package import Tributary

/// Keeps diagnostics, and lets a test wait for them.
package final class DiagnosticLog: Sendable {
    private struct State {
        var all: [Diagnostic] = []
        var watchers: [(isMet: @Sendable ([Diagnostic]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = LockBox(State())

    package init() {}

    package func all(_ kind: Diagnostic.Kind) -> [Diagnostic] { state.withLock { $0.all.filter { $0.kind == kind } } }

    package func add(_ diagnostic: Diagnostic) {
        state.withLock { state in
            state.all.append(diagnostic)
            Self.resume(&state)
        }
    }

    package func wait(for kind: Diagnostic.Kind, count: Int) async {
        await wait { all in all.filter { $0.kind == kind }.count >= count }
    }

    package func wait(reason: String) async { await wait { all in all.contains { $0.reason?.description == reason } } }

    /// A diagnostic has been reported whose message contains that text.
    package func wait(text: String) async { await wait { all in all.contains { $0.message.contains(text) } } }

    private func wait(_ isMet: @escaping @Sendable ([Diagnostic]) -> Bool) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.watchers.append((isMet, continuation))
                Self.resume(&state)
            }
        }
    }

    private static func resume(_ state: inout State) {
        let all = state.all
        state.watchers.removeAll { watcher in
            guard watcher.isMet(all) else { return false }
            watcher.continuation.resume()
            return true
        }
    }
}
