import TributaryJSON

/// A path of keys joined by dots, split once. There is no escape for a dot.
struct FilterPath: Sendable, Hashable {
    let keys: [PathKey]

    init(_ text: String) {
        keys = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { PathKey(String(Substring($0))) }
    }

    /// The path at a place of a rule, refused when it has too many keys.
    init(_ text: String, at place: String, limits: FilterLimits) throws(FilterError) {
        self.init(text)
        guard keys.count <= limits.pathKeys else {
            throw FilterError(.limit, at: place, "a path has at most \(limits.pathKeys) keys")
        }
    }

    init(keys: [PathKey]) { self.keys = keys }

    /// The path without its last key; the path of the whole event when there was only one.
    var parent: FilterPath { FilterPath(keys: Array(keys.dropLast())) }

    /// The value there; nil is `undefined`.
    func value(in event: JSON) -> JSON? {
        var current = event
        for key in keys {
            guard let next = key.member(of: current) else { return nil }
            current = next
        }
        return current
    }
}
