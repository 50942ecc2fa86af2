import Foundation

/// Counts what engines have taken from JavaScriptCore and not yet given back, so that tests can prove the balance.
// Sendable: `counts` is only touched while `lock` is held, everything else is constant.
package final class ScriptCensus: @unchecked Sendable {
    private let lock = NSLock()
    private var counts: [Kind: Int] = [:]

    /// What is counted.
    package enum Kind: Hashable {
        case context, protected, native
    }

    /// A census that counts from zero.
    package init() {}

    /// How many of all kinds are alive.
    package var alive: Int {
        lock.lock()
        defer { lock.unlock() }
        return counts.values.reduce(0, +)
    }

    func add(_ kind: Kind, _ change: Int) {
        lock.lock()
        defer { lock.unlock() }
        counts[kind, default: 0] += change
    }
}
