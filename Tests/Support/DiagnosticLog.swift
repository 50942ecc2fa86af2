package import Tributary

/// Keeps diagnostics, and lets a test wait for them.
package final class DiagnosticLog: Sendable {
    private struct State {
        var all: [Diagnostic] = []
        var watchers: [(kind: Diagnostic.Kind, count: Int, continuation: CheckedContinuation<Void, Never>)] = []
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
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.watchers.append((kind, count, continuation))
                Self.resume(&state)
            }
        }
    }

    private static func resume(_ state: inout State) {
        state.watchers.removeAll { watcher in
            guard state.all.filter({ $0.kind == watcher.kind }).count >= watcher.count else { return false }
            watcher.continuation.resume()
            return true
        }
    }
}
