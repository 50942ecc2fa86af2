public import Foundation

/// Where ids and chance come from, so that tests can foresee them.
public struct Identifiers: Sendable {
    /// A new id that nobody has had before.
    public var next: @Sendable () -> String
    /// A number from 0 up to, not including, 1, for jitter.
    public var random: @Sendable () -> Double

    /// Random UUIDs and the system's randomness unless told otherwise.
    public init(
        next: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.next = next
        self.random = random
    }

    /// The id of the `ordinal`th event that is made while the event with the id `parent` is processed.
    ///
    /// It depends on nothing else, so a replay after a crash makes the same id and the server stores one event.
    static func derived(from parent: String, ordinal: Int) -> String {
        let stem = parent.utf8.count <= 72 ? parent : String(fnv1a(parent), radix: 16)
        return "\(stem)-\(ordinal)"
    }

    private static func fnv1a(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
