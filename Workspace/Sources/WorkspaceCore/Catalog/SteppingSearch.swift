package import TributaryJSON

/// A search through events that says after each step how far it is.
package protocol SteppingSearch: Sendable {
    /// Looks at some more events.
    /// - Returns: false when there are none.
    mutating func step() async throws -> Bool

    /// How far it is, as the API shows it.
    var progress: JSON { get }

    /// The result so far; nil for a search that knows nothing before its end.
    /// - Parameter limit: how many values are listed.
    func part(limit: Int) -> JSON?

    /// The result, when there are no more events.
    func result(limit: Int) async throws -> JSON
}
