package import TributaryJSON

/// Events counted by the values of one member and by time, with their users and a statistic of the numbers in another
/// member.
///
/// A pure value: it takes events and gives their counts. The number of values with a count of their own is bounded, so
/// that an id or a time as a value costs little memory. When there are too many values, the rarest ones go to the
/// others (the way of Misra and Gries): so a value that comes often is listed, also when many invented ones came before
/// it.
package struct Breakdown: Sendable {
    /// Which events are counted, and how.
    package struct Question: Sendable {
        /// By which time of an event it counts.
        package enum Time: String, Sendable, CaseIterable { case received, happened }

        /// The intervals that are shown.
        package let intervals: Intervals
        /// The time before the intervals in which events are counted as well, all together; empty for none.
        package let before: Range<Int64>
        package let time: Time
        /// The events are counted by the values of this member; nil counts all events together.
        package let path: JSONPath?
        /// They are counted by the pairs of values of this member, too.
        package let and: JSONPath?
        /// Only events that fulfil all of them count.
        package let conditions: [JSONCondition]
        /// The statistic, and the member with its numbers; nil only counts events.
        package let measure: (path: JSONPath, statistic: Statistic)?

        package init(
            intervals: Intervals, before: Range<Int64> = 0..<0, time: Time = .received, path: JSONPath? = nil,
            and: JSONPath? = nil, conditions: [JSONCondition] = [],
            measure: (path: JSONPath, statistic: Statistic)? = nil
        ) {
            (self.intervals, self.before, self.time) = (intervals, before, time)
            (self.path, self.and, self.conditions, self.measure) = (path, and, conditions, measure)
        }

        /// The times of all events that are counted.
        package var times: Range<Int64> {
            before.isEmpty ? intervals.times : before.lowerBound..<intervals.times.upperBound
        }

        /// Where an event is counted; nil for an event outside these times.
        fileprivate func part(of time: Int64) -> Part? {
            if let index = intervals.index(of: time) { return .interval(index) }
            return before.contains(time) ? .before : nil
        }
    }

    /// Where an event is counted.
    fileprivate enum Part: Hashable {
        case interval(Int), before
    }

    /// The counts of a group of events.
    private struct Tally: Sendable {
        /// Events of each interval.
        var counts: [Int]
        /// Events of the time before the intervals.
        var before = 0
        /// Digests of the users of the intervals.
        var users: Set<UInt64> = []
        var numbers: [Part: MeasuredNumbers] = [:]

        var count: Int { counts.reduce(0, +) }
        /// The events of the intervals and of the time before.
        var all: Int { count + before }

        mutating func add(_ more: Tally) {
            for index in counts.indices { counts[index] += more.counts[index] }
            before += more.before
            users.formUnion(more.users)
            for (part, numbers) in more.numbers { self.numbers[part, default: MeasuredNumbers()].add(numbers) }
        }

        /// The numbers of all intervals.
        var measured: MeasuredNumbers {
            numbers.reduce(into: MeasuredNumbers()) { all, one in if one.key != .before { all.add(one.value) } }
        }
    }

    private let question: Question
    private let mostNumbers: Int
    /// The first three count all events, events without the member, and events with a value without its own count. The
    /// others count one value each.
    private var tallies: [Tally]
    private static let (total, absent, others) = (0, 1, 2)
    /// The index of each value in `tallies`, by its text.
    private var places: [[UInt8]: Int] = [:]
    private var usersOfIntervals: [Set<UInt64>]
    private var countedUsers = 0
    /// Numbers that are held because the statistic needs all of them.
    private var heldNumbers = 0
    /// The most events that the count of a value may lack, because they came before the value had its own count.
    private var mayLack = 0
    /// Events that were looked at.
    package private(set) var looked = 0

    package init(_ question: Question) { self.init(question, mostNumbers: Limits.breakdownNumbers) }

    init(_ question: Question, mostNumbers: Int) {
        (self.question, self.mostNumbers) = (question, mostNumbers)
        tallies = Array(repeating: Tally(counts: Array(repeating: 0, count: question.intervals.count)), count: 3)
        usersOfIntervals = Array(repeating: [], count: question.intervals.count)
    }

    /// Whether there are more users than the breakdown distinguishes.
    private var hasTooManyUsers: Bool { countedUsers >= Limits.breakdownUsers }

    /// An event that fulfils the conditions, as its tallies take it.
    private struct Counted {
        let part: Part
        let user: UInt64?
        let number: Double?
    }

    /// Counts an event.
    /// - Parameters:
    ///   - event: its text, as it is stored.
    ///   - time: the time that it counts by.
    /// - Throws: `Refusal` when there are more numbers than can be held.
    package mutating func take(_ event: UnsafeBufferPointer<UInt8>, at time: Int64) throws {
        guard let part = question.part(of: time) else { return }
        looked += 1
        for condition in question.conditions where try !condition.holds(event) { return }
        let counted = Counted(part: part, user: try Self.user(event), number: try number(in: event))
        if let user = counted.user, case .interval(let index) = part, !hasTooManyUsers {
            let (isNew, _) = usersOfIntervals[index].insert(user)
            if isNew { countedUsers += 1 }
        }
        try count(counted, in: Self.total)
        guard let path = question.path else { return }
        try count(counted, in: try tally(of: event, by: path))
    }

    /// Where an event is counted by its values. With two members, an event without the second one has a pair without it.
    private mutating func tally(
        of event: UnsafeBufferPointer<UInt8>, by path: JSONPath
    ) throws(JSONError) -> Int {
        guard let place = try path.place(in: event) else { return Self.absent }
        var text = CompactText.of(UnsafeBufferPointer(rebasing: event[place]))
        guard text.count <= Limits.breakdownValueBytes else { return Self.others }
        guard let and = question.and else { return tally(of: text) }
        let second = try and.place(in: event).map { CompactText.of(UnsafeBufferPointer(rebasing: event[$0])) } ?? []
        guard second.count <= Limits.breakdownValueBytes else { return Self.others }
        // No value has a NUL, because JSON writes it in another way.
        text.append(0)
        text += second
        return tally(of: text)
    }

    /// The number of the measured member. A text with digits is no number.
    private func number(in event: UnsafeBufferPointer<UInt8>) throws(JSONError) -> Double? {
        guard let place = try question.measure?.path.place(in: event),
            let number = ScannedObject.json(place, event)?.numberValue?.double
        else { return nil }
        return number.isFinite ? number : nil
    }

    /// Where events with a value, or a pair of values, are counted.
    private mutating func tally(of text: [UInt8]) -> Int {
        if let place = places[text] { return place }
        if places.count >= 2 * Limits.breakdownCountedValues { addUpRarest() }
        places[text] = tallies.count
        tallies.append(Tally(counts: Array(repeating: 0, count: usersOfIntervals.count)))
        return tallies.count - 1
    }

    /// Counts the rarer half of the values among the others.
    private mutating func addUpRarest() {
        let values = places.map { (text: $0.key, tally: tallies[$0.value]) }.sorted { $0.tally.all > $1.tally.all }
        tallies.removeLast(values.count)
        places = [:]
        for (index, value) in values.enumerated() {
            if index < Limits.breakdownCountedValues {
                places[value.text] = tallies.count
                tallies.append(value.tally)
            } else {
                tallies[Self.others].add(value.tally)
            }
        }
        mayLack += values[Limits.breakdownCountedValues].tally.all
    }

    private mutating func count(_ event: Counted, in tally: Int) throws(Refusal) {
        try measure(event, in: tally)
        guard case .interval(let index) = event.part else {
            tallies[tally].before += 1
            return
        }
        tallies[tally].counts[index] += 1
        guard let user = event.user, !hasTooManyUsers else { return }
        let (isNew, _) = tallies[tally].users.insert(user)
        if isNew { countedUsers += 1 }
    }

    private mutating func measure(_ event: Counted, in tally: Int) throws(Refusal) {
        guard let number = event.number, let statistic = question.measure?.statistic else { return }
        if statistic.needsAll {
            guard heldNumbers < mostNumbers else {
                throw .invalid(
                    "more than \(mostNumbers) numbers have to be held for \(statistic.rawValue); ask for fewer days, add "
                        + "conditions, or ask for a sum or an average")
            }
            heldNumbers += 1
        }
        tallies[tally].numbers[event.part, default: MeasuredNumbers()].add(number, for: statistic)
    }

    /// A digest of the event's user, or else of its device.
    private static func user(_ event: UnsafeBufferPointer<UInt8>) throws(JSONError) -> UInt64? {
        var scanner = JSONScanner(event)
        let object = try ScannedObject(&scanner, ["userId", "anonymousId"])
        let user = object.value("userId")
        guard let place = user ?? object.value("anonymousId") else { return nil }
        var hasher = Hasher()
        hasher.combine(user != nil)
        hasher.combine(bytes: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: event[place])))
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    // MARK: The answer

    /// Nil as long as a statistic is asked for that is costly to tell before the end.
    package func part(limit: Int) -> JSON? {
        question.measure?.statistic.needsAll == true ? nil : json(limit: limit)
    }

    /// - Parameter limit: how many values are listed; the others are added up.
    package func json(limit: Int) -> JSON {
        let values = sortedValues()
        var others = tallies[Self.others]
        for value in values.dropFirst(limit) { others.add(value.tally) }
        return [
            "days": .array(question.intervals.labels.map { .string($0) }),
            "zone": .string(question.intervals.zone.shownName), "looked": .number(looked),
            "total": json(tallies[Self.total]),
            "usersByDay": hasTooManyUsers ? .null : .numbers(usersOfIntervals.map(\.count)),
            "values": .array(values.prefix(limit).map { json($0.tally, text: $0.text) }),
            "absent": json(tallies[Self.absent]), "others": json(others),
            "unlistedValues": .number(max(0, values.count - limit)), "mayLack": .number(mayLack),
        ]
    }

    /// Frequent values first, or the highest sums when these are asked for; then by their text, so that the order is always
    /// the same.
    private func sortedValues() -> [(text: [UInt8], tally: Tally)] {
        let weighed = places.map { text, place in
            let tally = tallies[place]
            let weight = question.measure?.statistic == .sum ? tally.measured.value(.sum) ?? 0 : Double(tally.count)
            return (text: text, tally: tally, weight: weight)
        }
        return weighed.sorted {
            $0.weight == $1.weight ? $0.text.lexicographicallyPrecedes($1.text) : $0.weight > $1.weight
        }.map { ($0.text, $0.tally) }
    }

    /// - Parameter text: the value or the pair of values; nil for counts of several ones.
    private func json(_ tally: Tally, text: [UInt8]? = nil) -> JSON {
        var json: JSONObject = [
            "count": .number(tally.count), "before": .number(tally.before),
            "users": hasTooManyUsers ? .null : .number(tally.users.count), "days": .numbers(tally.counts),
        ]
        if let statistic = question.measure?.statistic { json["measured"] = measured(tally, statistic) }
        guard let text else { return .object(json) }
        let values = text.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        json["value"] = .some(Self.value(Array(values[0])))
        // A pair without the second value has no member for it.
        if values.count == 2, !values[1].isEmpty { json["and"] = .some(Self.value(Array(values[1]))) }
        return .object(json)
    }

    private func measured(_ tally: Tally, _ statistic: Statistic) -> JSON {
        func json(_ numbers: MeasuredNumbers?) -> JSON {
            numbers?.value(statistic).flatMap(JSONNumber.init).map(JSON.number) ?? .null
        }
        let measured = tally.measured
        return [
            "numbers": .number(measured.count), "value": json(measured), "before": json(tally.numbers[.before]),
            "days": .array(tally.counts.indices.map { json(tally.numbers[.interval($0)]) }),
        ]
    }

    /// The scanner has checked the text.
    private static func value(_ text: [UInt8]) -> JSON {
        text.withUnsafeBufferPointer { ScannedObject.json(0..<text.count, $0) } ?? .null
    }
}
