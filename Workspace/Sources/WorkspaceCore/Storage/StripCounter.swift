/// The counters of half hours: what became of the events of a source, and of those for its destinations.
///
/// Each is a row among the other counters of a source, written with what it counts, so it is right after a crash, and goes
/// with its source. Rows of half hours that are over for a day are deleted.
package enum StripCounter {
    package enum Kind: String, Sendable, CaseIterable {
        /// Events that were stored, that were rejected, and that plugins dropped on devices, as reports say.
        case accepted, rejected, dropped
        /// Events that a destination took, and that it refused for good.
        case delivered, refused
        /// The longest time that an event waited for a destination, in milliseconds.
        case lag
    }

    static let prefix = "strip:"
    /// Behind all names with the prefix.
    static let end = "strip;"

    /// The length of a half hour in milliseconds.
    package static let cell: Int64 = 30 * 60_000
    /// The half hours of a day.
    package static let cells: Int64 = 48

    /// The number of the half hour of a time.
    package static func number(of milliseconds: Int64) -> Int64 { max(0, milliseconds) / cell }

    /// The beginning of the names of a half hour. Names follow one another as times do.
    static func start(_ number: Int64) -> String {
        let digits = String(number)
        return prefix + String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    }

    static func name(_ milliseconds: Int64, _ kind: Kind, destination: Int64? = nil) -> String {
        "\(start(number(of: milliseconds))):\(kind.rawValue)" + (destination.map { ":\($0)" } ?? "")
    }

    /// The meaning of a name; nil for one of another counter.
    static func parse(_ name: String) -> (number: Int64, kind: Kind, destination: Int64?)? {
        let parts = name.split(separator: ":")
        guard parts.count >= 3, parts[0] == "strip", let number = Int64(parts[1]),
            let kind = Kind(rawValue: String(parts[2]))
        else { return nil }
        return (number, kind, parts.count > 3 ? Int64(parts[3]) : nil)
    }
}
