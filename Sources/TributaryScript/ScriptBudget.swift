/// The limits of a script.
public struct ScriptBudget: Sendable, Hashable {
    /// Seconds of the processor for one call from Swift. 0.1 unless configured, never less than 0.001.
    ///
    /// A script is checked about every quarter of a millisecond, so it is stopped shortly after its time. It may be later
    /// while a single built-in function runs. A script that other threads delay is stopped a second after the budget in
    /// any case.
    public var seconds: Double
    /// Megabytes by which the scripts of one engine may increase the process. 64 unless configured.
    public var megabytes: Int

    /// A budget; the defaults are 100 ms for a call and 64 MB.
    public init(seconds: Double = 0.1, megabytes: Int = 64) {
        self.seconds = max(seconds, 0.001)
        self.megabytes = max(megabytes, 1)
    }
}
