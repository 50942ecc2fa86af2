import WorkspaceCore

/// How long an event or a destination rests after a failure. Times in milliseconds.
package struct ForwardingPolicy: Sendable {
    /// Between the attempts of an event.
    var pauses = Backoff(first: 1_000, longest: 600_000)
    /// The pauses of a destination that accepts nothing.
    var rests = Backoff(first: 1_000, longest: 300_000)
    /// The longest pause that a destination may ask for, so that a wrong answer does not stop the delivery for good.
    var longestToldRest: Int64 = 3_600_000
    /// Failures in a row after which the destination is considered at fault.
    var failuresInARow = 5
    /// Attempts after which an event is given up, if the destination accepted others meanwhile.
    var attempts = 12
    /// Time since the first attempt after which an event is given up in any case: a day.
    var longest: Int64 = 24 * 3_600_000
}
