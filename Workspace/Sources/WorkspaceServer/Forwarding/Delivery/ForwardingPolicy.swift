/// How long an event or a destination rests after a failure. Times in milliseconds.
struct ForwardingPolicy: Sendable {
    /// Before the second attempt of an event; doubled with each further one, up to `longestPause`.
    var firstPause: Int64 = 1_000
    var longestPause: Int64 = 600_000
    /// The same for a destination that takes nothing.
    var firstRest: Int64 = 1_000
    var longestRest: Int64 = 300_000
    /// The longest that a destination may ask for: what it says in error must not stop it for ever.
    var longestToldRest: Int64 = 3_600_000
    /// Failures in a row after which the destination is taken to be the one at fault.
    var failuresInARow = 5
    /// Attempts after which an event is given up, if the destination took others meanwhile.
    var attempts = 12
    /// Time since the first attempt after which an event is given up in any case: a day.
    var longest: Int64 = 24 * 3_600_000

    /// - Parameter random: from 0 up to 1; takes off up to a quarter, so that events do not come back all at once.
    func pause(afterAttempt attempt: Int, random: Double) -> Int64 {
        Self.doubled(firstPause, attempt - 1, upTo: longestPause, random)
    }

    func rest(afterRests rests: Int, random: Double) -> Int64 {
        Self.doubled(firstRest, rests, upTo: longestRest, random)
    }

    private static func doubled(_ first: Int64, _ times: Int, upTo longest: Int64, _ random: Double) -> Int64 {
        let whole = min(longest, first << Int64(max(0, min(times, 20))))
        return whole - Int64(Double(whole) * 0.25 * random)
    }
}
