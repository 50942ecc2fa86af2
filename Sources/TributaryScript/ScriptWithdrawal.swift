import Foundation

/// Stops the scripts of an engine from any thread: a running one ends at its next guard, and none runs any more.
// Sendable: `isSet` is only touched while `lock` is held.
package final class ScriptWithdrawal: @unchecked Sendable {
    private let lock = NSLock()
    private var isSet = false

    static let message = "the scripts were withdrawn"

    /// Whether the scripts were stopped.
    package var isWithdrawn: Bool {
        lock.lock()
        defer { lock.unlock() }
        return isSet
    }

    /// Stops the scripts.
    package func withdraw() {
        lock.lock()
        defer { lock.unlock() }
        isSet = true
    }
}
