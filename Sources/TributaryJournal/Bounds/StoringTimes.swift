/// How old segments are, judged by a clock that may be wrong at times.
///
/// Every segment says when it began, by the clock of that moment, and takes records for `step` seconds from then on; the
/// present reading comes last. So what a segment holds is at least as old as the beginning of the next one, and as its own
/// beginning less one step. Ages are added up from reading to reading:
///
/// - A step back in time counts nothing, so a clock that was set back makes nothing older.
/// - A step forward counts, but one reading alone counts for `step` at the most. A single wrong reading therefore never
///   drops a backlog, and records in whose time the clock was wrong still grow older with every later reading.
/// - A leap beyond that counts in full once a later reading confirms it, because that one goes on from there and is at
///   least `confirmationSeconds` on; but only so far as it goes beyond all times that were believed before: a clock that
///   returns from a wrong time to the right one has leapt, without time having passed.
struct StoringTimes {
    /// A wrong reading that is put right is so within this time, as a rule: after a start, when the network is there.
    static let confirmationSeconds: Int64 = 600

    /// The ages in seconds of what lies before each reading: the time that passed from that reading to the last one.
    private let passedSince: [Int64]
    /// For each segment the first reading after it, and whether the one before that is its own.
    private let readings: [(next: Int, hasOwn: Bool)]
    private let step: Int64

    /// - Parameters:
    ///   - times: when each segment began, in seconds since 1970; 0 where that is not known.
    ///   - now: the present reading.
    ///   - step: seconds that one reading can count for at the most.
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

    /// The age in seconds of the youngest record that the segment of that index can hold.
    func age(ofSegment index: Int) -> Int64 {
        let (next, hasOwn) = readings[index]
        return max(passedSince[next], hasOwn ? passedSince[next - 1] - step : 0)
    }

    /// What each step from one reading to the next counts.
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

    /// The clock went on from that reading for long enough before it was set back, if it was.
    private static func isConfirmed(_ index: Int, _ readings: [Int64], _ step: Int64) -> Bool {
        for later in readings.indices.dropFirst(index + 1) {
            if readings[later] < readings[later - 1] { return false }
            if readings[later] - readings[index] >= min(confirmationSeconds, step) { return true }
        }
        return false
    }

    /// For each reading, and one more after the last, the sum of the steps that follow it.
    private static func sums(of steps: [Int64]) -> [Int64] {
        var sums: [Int64] = [0]
        for step in steps.reversed() { sums.append((sums.last ?? 0) + step) }
        return sums.reversed()
    }
}
