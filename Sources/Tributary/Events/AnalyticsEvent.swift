/// A track event as a type: its name stands once, and its members cannot be misspelled.
///
/// ```swift
/// struct SongPlayed: AnalyticsEvent {
///     static let name = "Song Played"
///     let title: String
///     let seconds: Double
/// }
///
/// analytics.track(SongPlayed(title: "Blue", seconds: 181))
/// ```
///
/// The members are encoded as the event's properties. The product `TributaryCommerce` has the events of the e-commerce
/// specification.
public protocol AnalyticsEvent: Encodable {
    /// The name of the event in reports, in the past tense.
    static var name: String { get }
}
