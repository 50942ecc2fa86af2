import Foundation

/// Counts the objects that engines have taken from JavaScriptCore and not released, so that tests can check the
/// balance.
// Sendable: `counts` is only touched while `lock` is held, everything else is constant.
package final class ScriptCensus: @unchecked Sendable {
    private let lock = NSLock()
    private var counts: [Kind: Int] = [:]

    /// The kinds of objects.
    package enum Kind: Hashable {
        case context, protected, native
    }

    /// A census that counts from zero.
    package init() {}

    /// The number of live objects of all kinds.
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
