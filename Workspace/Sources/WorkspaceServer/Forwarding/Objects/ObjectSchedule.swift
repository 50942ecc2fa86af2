import WorkspaceCore

/// Decides when the next range of a destination is written. A pure value.
struct ObjectSchedule: Sendable {
    /// The position that is stored: everything up to that number is written, or was not meant for the destination.
    private(set) var position: Int64
    /// The end of a range that may be written in part. It is tried again with the same rows.
    private(set) var unfinished: Int64?
    /// Up to this number the rows that wait are counted.
    private(set) var seen: Int64
    private(set) var rest: DestinationRest?
    private let policy: ForwardingPolicy
    private let random: @Sendable () -> Double
    private var count = 0
    /// When the first row that waits came.
    private var oldest: Int64?
    private var rests = 0
    private var movedAt: Int64

    init(
        position: Int64, now: Int64, policy: ForwardingPolicy = ForwardingPolicy(),
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        (self.position, seen, movedAt) = (position, position, now)
        (self.policy, self.random) = (policy, random)
    }

    /// The state as the administration shows it. Without a row that waits, everything is done.
    var state: ForwardingMachine.State {
        ForwardingMachine.State(rest: rest, waiting: 0, position: count == 0 ? seen : position)
    }

    /// How many of the rows behind `seen` have to be counted at most.
    var countable: Int { max(1, Limits.objectRows - count) }

    /// There are so many more rows of the source up to that number.
    mutating func saw(_ backlog: EventBacklog, through: Int64) {
        seen = max(seen, through)
        count += backlog.count
        oldest = [oldest, backlog.oldest].compactMap { $0 }.min()
    }

    /// Whether the hour of the first row is over, and some time for rows that come late.
    func isHourOver(now: Int64) -> Bool {
        guard let oldest else { return false }
        return now >= ObjectRange.hourEnd(oldest) + Limits.fileGraceMilliseconds
    }

    /// Whether there may be a range to write.
    func isDue(now: Int64) -> Bool {
        guard !isResting(now: now) else { return false }
        return unfinished != nil || count >= Limits.objectRows || isHourOver(now: now)
    }

    /// Whether the position should move although nothing was written: rows of other sources went by, and the next
    /// search must not begin in front of them.
    func shouldMove(now: Int64) -> Bool {
        count == 0 && unfinished == nil && seen > position && now - movedAt >= Limits.objectMove
    }

    /// The rows up to that number are dealt with, and this is stored.
    mutating func advance(to number: Int64, now: Int64) {
        (position, seen, movedAt) = (number, max(number, position), now)
        (count, oldest, unfinished, rest, rests) = (0, nil, nil, nil, 0)
    }

    /// It was too early: there are fewer rows than a range has, and the hour goes on.
    mutating func wait(rows: Int) { count = rows }

    /// A range could not be written, or it could not be stored that it was.
    mutating func failed(through number: Int64, _ reason: String, retryAfter: Int64?, now: Int64) {
        unfinished = number
        let told = min(retryAfter ?? 0, policy.longestToldRest)
        let pause = max(told, policy.rests.pause(after: rests, random: random()))
        rests += 1
        rest = DestinationRest(until: now + pause, reason: reason)
    }

    /// The clock may have been set back, so no rest may be longer than the longest one.
    private func isResting(now: Int64) -> Bool {
        guard let until = rest?.until else { return false }
        return until > now && until <= now + policy.longestToldRest
    }
}
