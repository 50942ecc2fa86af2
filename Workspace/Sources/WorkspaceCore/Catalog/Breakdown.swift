package import TributaryJSON

/// Events of some days, counted by the values of one member, with the users that they have.
///
/// A pure value: it takes events and gives their counts. The number of values with a count of their own is bounded, so
/// that an id or a time as a value costs little memory. When there are too many values, the rarest ones go to the
/// others (the way of Misra and Gries): so a value that comes often is listed, also when many invented ones came before
/// it.
package struct Breakdown: Sendable {
    /// The counts of a group of events.
    private struct Tally: Sendable {
        /// Events of each day.
        var days: [Int]
        /// Events of the time before these days.
        var before = 0
        /// Digests of the users of the days.
        var users: Set<UInt64> = []

        var count: Int { days.reduce(0, +) }
        /// The events of the days and of the time before.
        var all: Int { count + before }

        mutating func add(_ more: Tally) {
            for index in days.indices { days[index] += more.days[index] }
            before += more.before
            users.formUnion(more.users)
        }
    }

    /// The days that are shown. Events of earlier days belong to the time before.
    package let days: ClosedRange<Day>
    private let path: JSONPath?
    private let conditions: [JSONCondition]
    /// The first three count all events, events without the member, and events with a value without its own count. The
    /// others count one value each.
    private var tallies: [Tally]
    private static let (total, absent, others) = (0, 1, 2)
    /// The index of each value in `tallies`, by its text.
    private var places: [[UInt8]: Int] = [:]
    private var usersOfDays: [Set<UInt64>]
    private var countedUsers = 0
    /// The most events that the count of a value may lack, because they came before the value had its own count.
    private var mayLack = 0
    /// Events that were looked at.
    package private(set) var looked = 0

    /// - Parameters:
    ///   - path: the member; nil counts all events together.
    ///   - conditions: only events that fulfil all of them count.
    package init(days: ClosedRange<Day>, path: JSONPath?, conditions: [JSONCondition] = []) {
        (self.days, self.path, self.conditions) = (days, path, conditions)
        let count = Int(days.upperBound.number - days.lowerBound.number) + 1
        tallies = Array(repeating: Tally(days: Array(repeating: 0, count: count)), count: 3)
        usersOfDays = Array(repeating: [], count: count)
    }

    /// Whether there are more users than the breakdown distinguishes.
    private var hasTooManyUsers: Bool { countedUsers >= Limits.breakdownUsers }

    /// Counts an event.
    /// - Parameters:
    ///   - event: its text, as it is stored.
    ///   - day: when it arrived.
    package mutating func take(_ event: UnsafeBufferPointer<UInt8>, on day: Day) throws(JSONError) {
        looked += 1
        for condition in conditions where try !condition.holds(event) { return }
        let user = try Self.user(event)
        count(day, user, in: Self.total)
        if let user, days.contains(day), !hasTooManyUsers {
            let (isNew, _) = usersOfDays[index(of: day)].insert(user)
            if isNew { countedUsers += 1 }
        }
        guard let path else { return }
        count(day, user, in: try path.place(in: event).map { tally(of: event[$0]) } ?? Self.absent)
    }

    /// Where events with a value are counted.
    private mutating func tally(of value: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        let text = CompactText.of(UnsafeBufferPointer(rebasing: value))
        if let place = places[text] { return place }
        guard text.count <= Limits.breakdownValueBytes else { return Self.others }
        if places.count >= 2 * Limits.breakdownCountedValues { addUpRarest() }
        places[text] = tallies.count
        tallies.append(Tally(days: Array(repeating: 0, count: usersOfDays.count)))
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

    private mutating func count(_ day: Day, _ user: UInt64?, in tally: Int) {
        guard days.contains(day) else {
            tallies[tally].before += 1
            return
        }
        tallies[tally].days[index(of: day)] += 1
        guard let user, !hasTooManyUsers else { return }
        let (isNew, _) = tallies[tally].users.insert(user)
        if isNew { countedUsers += 1 }
    }

    private func index(of day: Day) -> Int { Int(day.number - days.lowerBound.number) }

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

    /// - Parameter limit: how many values are listed; the others are added up.
    package func json(limit: Int) -> JSON {
        let values = places.map { (text: $0.key, tally: tallies[$0.value]) }.sorted(by: Self.isBefore)
        var others = tallies[Self.others]
        for value in values.dropFirst(limit) { others.add(value.tally) }
        return [
            "days": .array((days.lowerBound.number...days.upperBound.number).map { .string("\(Day(number: $0))") }),
            "looked": .number(looked), "total": json(tallies[Self.total]),
            "usersByDay": hasTooManyUsers ? .null : .numbers(usersOfDays.map(\.count)),
            "values": .array(values.prefix(limit).map { json($0.tally, value: Self.value($0.text)) }),
            "absent": json(tallies[Self.absent]), "others": json(others),
            "unlistedValues": .number(max(0, values.count - limit)), "mayLack": .number(mayLack),
        ]
    }

    /// Frequent values first; equally frequent ones by their text, so that the order is always the same.
    private static func isBefore(
        _ left: (text: [UInt8], tally: Tally), _ right: (text: [UInt8], tally: Tally)
    ) -> Bool {
        let (one, other) = (left.tally.count, right.tally.count)
        return one == other ? left.text.lexicographicallyPrecedes(right.text) : one > other
    }

    private func json(_ tally: Tally, value: JSON? = nil) -> JSON {
        var json: JSONObject = [
            "count": .number(tally.count), "before": .number(tally.before),
            "users": hasTooManyUsers ? .null : .number(tally.users.count), "days": .numbers(tally.days),
        ]
        if let value { json["value"] = .some(value) }
        return .object(json)
    }

    /// The scanner has checked the text.
    private static func value(_ text: [UInt8]) -> JSON {
        text.withUnsafeBufferPointer { ScannedObject.json(0..<text.count, $0) } ?? .null
    }
}
