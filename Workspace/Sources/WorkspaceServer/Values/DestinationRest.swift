/// Why nothing is sent to a destination at present, and until when.
struct DestinationRest: Sendable, Equatable {
    /// Milliseconds since 1970.
    let until: Int64
    let reason: String
}
