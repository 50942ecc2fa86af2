/// The ages of segments, by a clock that may be wrong at times.
///
/// Every segment stores the time of its beginning, by the clock of that moment, and accepts records for `step` seconds.
/// The present time is the last reading. So the records of a segment are at least as old as the beginning of the next
/// segment, and as their own beginning less one step. Ages are added up from reading to reading:
///
/// - A step backwards counts nothing. So a clock that was set back makes nothing older.
/// - A step forwards counts, but a single reading counts for at most `step`. So a single wrong reading never drops a
///   backlog. Records that were stored while the clock was wrong still grow older with every later reading.
/// - A larger leap counts in full when a later reading confirms it: one that is at least `confirmationSeconds` later.
///   It counts only as far as it exceeds all times that were believed before. A clock that returns from a wrong time to
///   the right one has leapt without time having passed.
struct StoringTimes {
    /// A wrong clock is usually corrected within this time: after a start, when the network is available.
    static let confirmationSeconds: Int64 = 600

    /// The ages of the readings in seconds: the time that passed from each reading to the last one.
    private let passedSince: [Int64]
    /// For each segment, the index of the first reading after it, and whether the reading before that is its own.
    private let readings: [(next: Int, hasOwn: Bool)]
    private let step: Int64

    /// - Parameters:
    ///   - times: when each segment began, in seconds since 1970; 0 when unknown.
    ///   - now: the present reading.
    ///   - step: the most seconds that one reading can count for.
    init(_ times: [Int64], now: Int64, step: Int64) {
        var readings: [Int64] = []
        var places: [(next: Int, hasOwn: Bool)] = []
        for time in times {
            if time != 0 { readings.append(time) }
            places.append((readings.count, time != 0))
        }
        readings.append(now)
        self.readings = places
        self.step = step
        passedSince = Self.sums(of: Self.believedSteps(readings, step))
    }

    /// The age in seconds of the youngest record that the segment with that index can hold.
    func age(ofSegment index: Int) -> Int64 {
        let (next, hasOwn) = readings[index]
        return max(passedSince[next], hasOwn ? passedSince[next - 1] - step : 0)
    }

    /// The seconds that each step from one reading to the next counts for.
    private static func believedSteps(_ readings: [Int64], _ step: Int64) -> [Int64] {
        var latest = readings[0]
        var steps: [Int64] = []
        for index in readings.indices.dropFirst() {
            let reading = readings[index]
            let passed = reading - readings[index - 1]
            let isLeap = passed > step
            if !isLeap || isConfirmed(index, readings, step) {
                steps.append(isLeap ? max(step, reading - latest) : max(passed, 0))
                latest = max(latest, reading)
            } else {
                steps.append(step)
            }
        }
        return steps
    }

    /// Whether the clock went on from that reading for long enough, before it was set back, if it was.
    private static func isConfirmed(_ index: Int, _ readings: [Int64], _ step: Int64) -> Bool {
        for later in readings.indices.dropFirst(index + 1) {
            if readings[later] < readings[later - 1] { return false }
            if readings[later] - readings[index] >= min(confirmationSeconds, step) { return true }
        }
        return false
    }

    /// For each reading, and one more after the last, the sum of the later steps.
    private static func sums(of steps: [Int64]) -> [Int64] {
        var sums: [Int64] = [0]
        for step in steps.reversed() { sums.append((sums.last ?? 0) + step) }
        return sums.reversed()
    }
}
