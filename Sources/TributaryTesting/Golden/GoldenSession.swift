public import TributaryJSON

/// A session: the events and signals of one device without a long pause, in their order.
public struct GoldenSession: Sendable, Hashable {
    /// The name of the session in its file.
    public let name: String
    /// The events and signals with their results.
    public var records: [GoldenRecord]

    /// A session with a name that no other session of its file has.
    public init(name: String, records: [GoldenRecord]) { (self.name, self.records) = (name, records) }
}

/// An event or a signal of a session, with the events that came out of it.
public struct GoldenRecord: Sendable, Hashable {
    /// The input of a record.
    public enum Input: Sendable, Hashable {
        /// An event as the plugins got it.
        case event(JSON)
        /// A signal as `processSignal` got it.
        case signal(JSON)
    }

    /// The event or the signal.
    public let input: Input
    /// The events that came out.
    public var outcome: GoldenOutcome

    /// - Parameters:
    ///   - input: the event or the signal.
    ///   - outcome: the events that came out. Default: an event comes out as it is, and a signal makes no event.
    public init(_ input: Input, outcome: GoldenOutcome? = nil) {
        self.input = input
        self.outcome = outcome ?? .untouched(input)
    }
}

/// The events that came out of an event or a signal.
public struct GoldenOutcome: Sendable, Hashable {
    /// The event itself after the plugins; nil when a plugin dropped it, and always nil for a signal.
    public var after: JSON?
    /// The events that scripts and plugins made because of it, in their order.
    public var made: [JSON]

    /// - Parameters:
    ///   - after: the event after the plugins; nil for a dropped event.
    ///   - made: the events that were made because of it. Default: none.
    public init(after: JSON?, made: [JSON] = []) { (self.after, self.made) = (after, made) }

    /// The outcome without any plugin.
    public static func untouched(_ input: GoldenRecord.Input) -> GoldenOutcome {
        switch input {
        case .event(let event): GoldenOutcome(after: event)
        case .signal: GoldenOutcome(after: nil)
        }
    }
}
