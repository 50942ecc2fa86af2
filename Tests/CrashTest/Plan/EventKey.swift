/// Names an event so that its ledger line and what the server holds can be compared.
///
///     w3-r5-a/2/17p      world 3, round 5, process a; thread 2, its 17th event, plain
///     w3-r5-a/2/18c      one of which a plugin makes another
///     w3-r5-a/2/18c+1    that other one
///     w3-r5-a/2/19d      one that a plugin drops
enum EventKey {
    /// What plugins do with an event.
    enum Kind: Character, CaseIterable {
        case plain = "p"
        case dropped = "d"
        case parent = "c"
    }

    /// Every seventh event makes another one, every eleventh is dropped.
    static func kind(_ number: Int) -> Kind {
        if number % 11 == 5 { return .dropped }
        return number % 7 == 3 ? .parent : .plain
    }

    static func key(life: String, thread: Int, number: Int) -> String {
        "\(life)/\(thread)/\(number)\(kind(number).rawValue)"
    }

    static func child(of key: String) -> String { key + childMark }

    static func parent(of key: String) -> String? {
        key.hasSuffix(childMark) ? String(key.dropLast(childMark.count)) : nil
    }

    static func isDropped(_ key: String) -> Bool { key.last == Kind.dropped.rawValue }
    static func isParent(_ key: String) -> Bool { key.last == Kind.parent.rawValue }

    /// Thread and number of an event that was tracked by a thread; nil for those that a plugin made.
    static func place(of key: String) -> (thread: String, number: Int)? {
        guard !key.hasSuffix(childMark), let slash = key.lastIndex(of: "/"),
            let number = Int(key[key.index(after: slash)...].dropLast())
        else { return nil }
        return (String(key[..<slash]), number)
    }

    private static let childMark = "+1"
}
