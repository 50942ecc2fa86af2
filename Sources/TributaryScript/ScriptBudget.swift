/// The limits of a script.
public struct ScriptBudget: Sendable, Hashable {
    /// Seconds of real time for one call from Swift. 0.1 unless configured, never less than 0.001.
    ///
    /// A script is checked every few milliseconds of its own processor time, so it is stopped up to 10 ms late. It may
    /// be later when the machine is busy, or while a single built-in function (a regular expression, a sort) runs. A
    /// call that needs less than one such interval is never stopped, however long the machine made it wait.
    public var seconds: Double
    /// Megabytes by which the scripts of one engine may increase the process. 64 unless configured.
    public var megabytes: Int

    /// A budget; the defaults are 100 ms for a call and 64 MB.
    public init(seconds: Double = 0.1, megabytes: Int = 64) {
        self.seconds = max(seconds, 0.001)
        self.megabytes = max(megabytes, 1)
    }
}
