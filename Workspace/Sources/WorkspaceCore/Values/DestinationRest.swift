/// Why nothing is sent to a destination at present, and until when.
package struct DestinationRest: Sendable, Equatable {
    /// Milliseconds since 1970.
    package let until: Int64
    package let reason: String

    package init(until: Int64, reason: String) { (self.until, self.reason) = (until, reason) }
}
