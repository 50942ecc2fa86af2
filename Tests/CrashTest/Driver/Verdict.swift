/// What came out of one or several worlds.
struct Verdict: Sendable {
    /// A broken promise, with what is needed to look into it.
    struct Problem: Sendable {
        let world: String
        let text: String
    }

    var rounds = 0
    var acknowledged = 0
    var lost = 0
    var duplicated = 0
    var reordered = 0
    /// Events that came although a plugin dropped them, or that nobody tracked.
    var unexpected = 0
    /// Calls that returned although their event was not on the disk, and the disk had not refused it.
    var undurable = 0
    /// Clients that crashed by themselves, hung, or could not send what they had.
    var misbehaved = 0

    /// Events that were in memory only when their process died, because the disk was full; they need not come.
    var memoryOnly = 0
    /// Events that a purge deleted before they were sent.
    var purged = 0
    /// Events that came more than once; their ids make one of them.
    var repetitions = 0
    var kills: [KillPoint: Int] = [:]
    var randomKills = 0
    /// Planned kills whose step did not come; these processes were killed at the end of their work.
    var missed: [Step: Int] = [:]
    var faults: [Fault: Int] = [:]
    var problems: [Problem] = []

    var isGood: Bool {
        lost == 0 && duplicated == 0 && reordered == 0 && unexpected == 0 && undurable == 0 && misbehaved == 0
    }

    mutating func add(_ other: Verdict) {
        rounds += other.rounds
        acknowledged += other.acknowledged
        lost += other.lost
        duplicated += other.duplicated
        reordered += other.reordered
        unexpected += other.unexpected
        undurable += other.undurable
        misbehaved += other.misbehaved
        memoryOnly += other.memoryOnly
        purged += other.purged
        repetitions += other.repetitions
        randomKills += other.randomKills
        kills.merge(other.kills, uniquingKeysWith: +)
        missed.merge(other.missed, uniquingKeysWith: +)
        faults.merge(other.faults, uniquingKeysWith: +)
        problems += other.problems
    }
}
