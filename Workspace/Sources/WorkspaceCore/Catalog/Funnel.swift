package import Foundation
package import TributaryJSON

/// How many people did some steps, one after the other, within a window of time.
///
/// A pure value: it takes the events in any order, keeps a few bytes of each possible step, and puts them in the
/// order of time when it is asked for the result.
package struct Funnel: PeopleCount {
    /// The steps, their window, and the days.
    package struct Question: Sendable {
        package let steps: [FunnelStep]
        /// In seconds.
        package let window: Int64
        /// The days in which the events happened.
        package let days: ClosedRange<Day>
        /// Their times in the time zone of the question.
        package let times: Range<Int64>
        let zone: TimeZone?
        /// The member of the first step's event by which people are counted apart.
        package let path: JSONPath?
        /// The step, from 0, beside which events of people are counted; nil for none.
        package let around: Int?

        /// - Parameter zone: nil is UTC.
        package init(
            steps: [FunnelStep], window: Int64, days: ClosedRange<Day>, zone: TimeZone? = nil, path: JSONPath?,
            around: Int? = nil
        ) throws(Refusal) {
            guard Limits.funnelSteps.contains(steps.count) else {
                throw .invalid(
                    "a funnel has \(Limits.funnelSteps.lowerBound) to \(Limits.funnelSteps.upperBound) steps")
            }
            guard (1...Limits.funnelMostWindowSeconds).contains(window) else {
                throw .invalid("window is a number of seconds from 1 to \(Limits.funnelMostWindowSeconds)")
            }
            guard around.map(steps.indices.contains) ?? true else {
                throw .invalid("around is the number of a step, from 1 to \(steps.count)")
            }
            (self.steps, self.window, self.days, self.path, self.around) = (steps, window, days, path, around)
            (self.zone, times) = (zone, days.times(in: zone))
        }
    }

    /// An event that may be a step.
    private struct Entry: Sendable {
        var person: PersonKey
        let time: Int64
        let sequence: Int64
        let value: UInt32
        let steps: UInt8
    }

    private let question: Question
    private let mostEvents: Int
    private var entries: [Entry] = []
    private var owners: DeviceOwners
    private var values: [[UInt8]] = []
    private var places: [[UInt8]: UInt32] = [:]
    private var surroundings = FunnelSurroundings()
    /// Events that were looked at.
    private var looked = 0

    private static let (absent, others, firstValue) = (UInt32(0), UInt32(1), 2)

    package init(_ question: Question) {
        self.init(question, mostEvents: Limits.funnelEvents, mostDevices: Limits.devicesWithoutUser)
    }

    init(_ question: Question, mostEvents: Int, mostDevices: Int) {
        (self.question, self.mostEvents, owners) = (question, mostEvents, DeviceOwners(most: mostDevices))
    }

    package var kinds: [EventKind] { question.steps.map(\.kind) }

    package var needsText: Bool { question.path != nil || question.steps.contains { !$0.conditions.isEmpty } }

    package var times: Range<Int64> { question.times }

    package mutating func take(_ event: PersonEvent) throws {
        looked += 1
        guard times.contains(event.time) else { return }
        var steps: UInt8 = 0
        for (index, step) in question.steps.enumerated() where event.kinds & 1 << index != 0 {
            if try step.holds(event.text) { steps |= 1 << index }
        }
        guard steps != 0, let person = try owners.person(of: event) else { return }
        guard entries.count < mostEvents else {
            throw Refusal.invalid(
                "more than \(mostEvents) events may be a step of this funnel; ask for fewer days or add conditions")
        }
        let value = steps & 1 != 0 ? try value(event.text) : Self.absent
        entries.append(
            Entry(person: person, time: event.time, sequence: event.sequence, value: value, steps: steps))
    }

    package var devices: Set<PersonKey> { owners.devices }

    package mutating func note(_ event: PersonEvent) {
        looked += 1
        if times.contains(event.time) { owners.note(event) }
    }

    private mutating func value(_ event: [UInt8]) throws(JSONError) -> UInt32 {
        guard let path = question.path else { return Self.absent }
        let found = try event.withUnsafeBufferPointer { event throws(JSONError) in
            try path.place(in: event).map { CompactText.of(UnsafeBufferPointer(rebasing: event[$0])) }
        }
        guard let text = found else { return Self.absent }
        if let known = places[text] { return known }
        guard text.count <= Limits.breakdownValueBytes, values.count < Limits.funnelCountedValues else {
            return Self.others
        }
        let value = UInt32(values.count + Self.firstValue)
        places[text] = value
        values.append(text)
        return value
    }

    // MARK: The answer

    /// The people who reached each step, and the times that they took from the step before.
    private struct Tally {
        private(set) var people: [Int]
        private var times: [[Int64]]

        init(steps: Int) {
            people = Array(repeating: 0, count: steps)
            times = Array(repeating: [], count: steps)
        }

        mutating func add(_ chain: FunnelPath.Chain) {
            for (step, time) in chain.times.enumerated() {
                people[step] += 1
                if step > 0 { times[step].append(time - chain.times[step - 1]) }
            }
        }

        func json(value: JSON? = nil) -> JSON {
            var json: JSONObject = [
                "people": .numbers(people), "medianSeconds": .array(times.map { .number(Self.median($0)) }),
            ]
            if let value { json["value"] = .some(value) }
            return .object(json)
        }

        /// In whole seconds.
        private static func median(_ times: [Int64]) -> Int64? {
            guard !times.isEmpty else { return nil }
            let sorted = times.sorted()
            return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2 / 1_000
        }
    }

    /// - Parameter limit: how many values are listed; the others are added up.
    package func json(limit: Int) -> JSON {
        let count = question.steps.count
        var all = Tally(steps: count)
        var tallies: [UInt32: Tally] = [:]
        var chains: [FunnelPath.Chain] = []
        forEachPerson { _, chain in
            all.add(chain)
            guard question.path != nil else { return }
            tallies[chain.value, default: Tally(steps: count)].add(chain)
            chains.append(chain)
        }
        let listed = tallies.keys.filter { $0 >= Self.firstValue }.sorted { one, other in
            let (left, right) = (tallies[one]?.people ?? [], tallies[other]?.people ?? [])
            return left == right
                ? text(one).lexicographicallyPrecedes(text(other)) : right.lexicographicallyPrecedes(left)
        }
        let shown = Set(listed.prefix(limit))
        var rest = Tally(steps: count)
        for chain in chains where chain.value != Self.absent && !shown.contains(chain.value) { rest.add(chain) }
        var answer: JSONObject = [
            "since": .string("\(question.days.lowerBound)"), "until": .string("\(question.days.upperBound)"),
            "zone": .string(question.zone.shownName),
            "looked": .number(looked), "windowSeconds": .number(question.window), "all": all.json(),
            "values": .array(
                listed.prefix(limit).compactMap { value in tallies[value]?.json(value: json(text(value))) }),
            "others": rest.json(), "absent": (tallies[Self.absent] ?? Tally(steps: count)).json(),
            "unlistedValues": .number(max(0, listed.count - limit)),
        ]
        if let step = question.around { answer["around"] = .some(surroundings.json(step: step, limit: limit)) }
        return .object(answer)
    }

    // MARK: Where people go

    /// The window before the first day and after the last one, too.
    package var followedTimes: Range<Int64>? {
        let window = question.window * 1_000
        return question.around.map { _ in times.lowerBound - window..<times.upperBound + window }
    }

    package mutating func followed() throws -> Set<PersonKey> {
        guard let step = question.around else { return [] }
        var found = FunnelSurroundings()
        try forEachPerson { person, chain throws in
            try found.add(person, chain, at: step, window: question.window * 1_000)
        }
        surroundings = found
        let people = surroundings.people
        return people.union(owners.devices(of: people))
    }

    package mutating func follow(_ event: PersonEvent, _ kind: EventKind) {
        looked += 1
        guard let person = (event.user ?? event.device).map({ owners.owner(of: $0) }) else { return }
        surroundings.take(kind, of: person, at: event.time, sequence: event.sequence)
    }

    private func text(_ value: UInt32) -> [UInt8] { values[Int(value) - Self.firstValue] }

    /// The scanner has checked the text.
    private func json(_ text: [UInt8]) -> JSON {
        text.withUnsafeBufferPointer { ScannedObject.json(0..<text.count, $0) } ?? .null
    }

    /// Gives the chain of each person who did the first step.
    private func forEachPerson(_ body: (PersonKey, FunnelPath.Chain) throws -> Void) rethrows {
        var entries = entries
        for index in entries.indices { entries[index].person = owners.owner(of: entries[index].person) }
        entries.sort { ($0.person, $0.time, $0.sequence) < ($1.person, $1.time, $1.sequence) }
        var start = entries.startIndex
        while start < entries.endIndex {
            var path = FunnelPath(steps: question.steps.count, window: question.window * 1_000)
            let person = entries[start].person
            while start < entries.endIndex, entries[start].person == person {
                path.take(
                    entries[start].steps, at: entries[start].time, sequence: entries[start].sequence,
                    value: entries[start].value)
                start += 1
            }
            if !path.furthest.times.isEmpty { try body(person, path.furthest) }
        }
    }
}
