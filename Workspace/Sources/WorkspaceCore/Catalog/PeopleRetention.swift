package import Foundation
package import TributaryJSON

/// How many people came back. People are grouped by the day or week in which they did a first event; for each later day
/// or week a group has the number of its people who did another event then.
///
/// A pure value: it takes the events in any order, and keeps a few bytes for each person and day or week.
package struct PeopleRetention: PeopleCount {
    /// The length of time that is counted together.
    package enum Period: String, Sendable, CaseIterable {
        case day, week

        fileprivate var unit: Intervals.Unit { self == .day ? .day : .week }
    }

    /// The events, the periods, and the days.
    package struct Question: Sendable {
        package let first: FunnelStep
        package let returning: FunnelStep
        package let period: Period
        /// The days in which the events happened, from the first day of a period on.
        package let days: ClosedRange<Day>

        /// The days or weeks; the last one may go on after the last day.
        fileprivate let periods: Intervals
        fileprivate let zone: TimeZone?

        /// - Parameter zone: nil is UTC.
        package init(
            first: FunnelStep, returning: FunnelStep, period: Period, days: ClosedRange<Day>, zone: TimeZone? = nil
        ) throws(Refusal) {
            (self.first, self.returning, self.period, self.zone) = (first, returning, period, zone)
            let begin = period == .week ? days.lowerBound.monday : days.lowerBound
            self.days = begin...days.upperBound
            periods = try Intervals(period.unit, of: self.days, in: zone)
        }
    }

    /// A person in a period.
    private struct Place: Hashable {
        var person: PersonKey
        let period: Int32
    }

    private static let (first, returning) = (UInt8(1), UInt8(2))

    private let question: Question
    private let mostPlaces: Int
    /// Bits of `first` and `returning`.
    private var places: [Place: UInt8] = [:]
    private var owners: DeviceOwners
    /// Events that were looked at.
    private var looked = 0

    package init(_ question: Question) {
        self.init(question, mostPlaces: Limits.retentionPlaces, mostDevices: Limits.devicesWithoutUser)
    }

    init(_ question: Question, mostPlaces: Int, mostDevices: Int) {
        (self.question, self.mostPlaces, owners) = (question, mostPlaces, DeviceOwners(most: mostDevices))
    }

    package var kinds: [EventKind] { [question.first.kind, question.returning.kind] }

    package var needsText: Bool { !question.first.conditions.isEmpty || !question.returning.conditions.isEmpty }

    package var times: Range<Int64> { question.periods.times }

    package mutating func take(_ event: PersonEvent) throws {
        looked += 1
        guard let period = question.periods.index(of: event.time).map(Int32.init) else { return }
        var done: UInt8 = 0
        if event.kinds & Self.first != 0, try question.first.holds(event.text) { done |= Self.first }
        if event.kinds & Self.returning != 0, try question.returning.holds(event.text) { done |= Self.returning }
        guard done != 0, let person = try owners.person(of: event) else { return }
        places[Place(person: person, period: period), default: 0] |= done
        guard places.count <= mostPlaces else {
            throw Refusal.invalid(
                "these are more than \(mostPlaces) people and \(question.period.rawValue)s; ask for fewer days or add "
                    + "conditions")
        }
    }

    package var devices: Set<PersonKey> { owners.devices }

    package mutating func note(_ event: PersonEvent) {
        looked += 1
        if question.periods.times.contains(event.time) { owners.note(event) }
    }

    // MARK: The answer

    /// The people who did the first event in a period for the first time in these days.
    private struct Cohort {
        var people = 0
        /// How many of them came back, for each later period.
        var returned: [Int]
    }

    package func json(limit: Int) -> JSON {
        let periods = question.periods.labels
        let cohorts = cohorts(periods.count)
        return [
            "since": .string("\(question.days.lowerBound)"), "until": .string("\(question.days.upperBound)"),
            "zone": .string(question.zone.shownName), "by": .string(question.period.rawValue),
            "looked": .number(looked),
            "cohorts": .array(
                zip(periods, cohorts).map { period, cohort in
                    [
                        "since": .string(period), "people": .number(cohort.people),
                        "returned": .numbers(cohort.returned),
                    ]
                }),
            "all": all(cohorts),
        ]
    }

    /// For each number of periods later: who came back, of the cohorts that are that old.
    private func all(_ cohorts: [Cohort]) -> JSON {
        var people: [Int] = []
        var returned: [Int] = []
        for later in 0..<max(0, cohorts.count - 1) {
            let old = cohorts.filter { $0.returned.count > later }
            people.append(old.reduce(0) { $0 + $1.people })
            returned.append(old.reduce(0) { $0 + $1.returned[later] })
        }
        return [
            "people": .number(cohorts.reduce(0) { $0 + $1.people }), "of": .numbers(people),
            "returned": .numbers(returned),
        ]
    }

    private func cohorts(_ count: Int) -> [Cohort] {
        var cohorts = (0..<count).map { Cohort(returned: Array(repeating: 0, count: count - $0 - 1)) }
        forEachPerson { periods in
            guard let began = periods.filter({ $0.done & Self.first != 0 }).map(\.period).min() else { return }
            cohorts[Int(began)].people += 1
            // A user may have several places in one period, of several devices.
            let later = Set(periods.filter { $0.done & Self.returning != 0 && $0.period > began }.map(\.period))
            for period in later { cohorts[Int(began)].returned[Int(period - began) - 1] += 1 }
        }
        return cohorts
    }

    /// Gives what each person did in which periods.
    private func forEachPerson(_ body: ([(period: Int32, done: UInt8)]) -> Void) {
        var all = places.map { (person: owners.owner(of: $0.key.person), period: $0.key.period, done: $0.value) }
        all.sort { $0.person < $1.person }
        var start = all.startIndex
        while start < all.endIndex {
            var end = start
            while end < all.endIndex, all[end].person == all[start].person { end += 1 }
            body(all[start..<end].map { ($0.period, $0.done) })
            start = end
        }
    }
}
