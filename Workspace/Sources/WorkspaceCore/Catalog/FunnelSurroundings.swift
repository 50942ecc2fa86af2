import TributaryJSON

/// The events that people did just before a step of a funnel, and the next events of people who did not go on.
///
/// A pure value: it knows the step of each person, takes other events of these people in any order, and keeps the two that are
/// nearest.
struct FunnelSurroundings: Sendable {
    /// An event beside a step.
    private struct Neighbour: Sendable {
        let time: Int64
        let sequence: Int64
        let name: Int32

        func isBefore(_ time: Int64, _ sequence: Int64) -> Bool { (self.time, self.sequence) < (time, sequence) }
    }

    /// The step of a person.
    private struct Place: Sendable {
        let time: Int64
        let sequence: Int64
        /// When the window of the person's funnel ends; nil for a person who went on to the next step.
        let end: Int64?
        var before: Neighbour?
        var next: Neighbour?
    }

    private let mostPeople: Int
    private var window: Int64 = 0
    private var places: [PersonKey: Place] = [:]
    private var names: [EventKind: Int32] = [:]
    private var kinds: [EventKind] = []

    /// The number of all further names together.
    private static let other = Int32.max

    init(mostPeople: Int = Limits.funnelFollowedPeople) { self.mostPeople = mostPeople }

    var people: Set<PersonKey> { Set(places.keys) }

    /// Notes a person who did the step.
    /// - Parameter step: from 0.
    mutating func add(_ person: PersonKey, _ chain: FunnelPath.Chain, at step: Int, window: Int64) throws(Refusal) {
        guard chain.times.indices.contains(step) else { return }
        guard places.count < mostPeople else {
            throw .invalid(
                "more than \(mostPeople) people did this step; to see what they did before and next, ask for fewer days or add "
                    + "conditions")
        }
        self.window = window
        let isLast = chain.times.count == step + 1
        places[person] = Place(
            time: chain.times[step], sequence: chain.sequences[step], end: isLast ? chain.times[0] + window : nil)
    }

    /// Takes another event of a person.
    mutating func take(_ kind: EventKind, of person: PersonKey, at time: Int64, sequence: Int64) {
        guard var place = places[person] else { return }
        if (time, sequence) < (place.time, place.sequence) {
            guard time >= place.time - window, place.before?.isBefore(time, sequence) ?? true else { return }
            place.before = Neighbour(time: time, sequence: sequence, name: number(of: kind))
        } else if (time, sequence) > (place.time, place.sequence), let end = place.end, time <= end {
            if let known = place.next, known.isBefore(time, sequence) { return }
            place.next = Neighbour(time: time, sequence: sequence, name: number(of: kind))
        }
        places[person] = place
    }

    private mutating func number(of kind: EventKind) -> Int32 {
        if let known = names[kind] { return known }
        guard kinds.count < Limits.funnelFollowedNames else { return Self.other }
        let number = Int32(kinds.count)
        names[kind] = number
        kinds.append(kind)
        return number
    }

    // MARK: The answer

    /// - Parameter limit: how many events are listed on each side.
    func json(step: Int, limit: Int) -> JSON {
        [
            "step": .number(step + 1),
            "before": counts(places.values.map(\.before), limit: limit),
            "next": counts(places.values.filter { $0.end != nil }.map(\.next), limit: limit),
        ]
    }

    private func counts(_ neighbours: [Neighbour?], limit: Int) -> JSON {
        var counts: [Int32: Int] = [:]
        for neighbour in neighbours { if let neighbour { counts[neighbour.name, default: 0] += 1 } }
        let named = counts.filter { $0.key != Self.other }.map { (kind: kinds[Int($0.key)], people: $0.value) }
            .sorted { $0.people == $1.people ? Self.text($0.kind) < Self.text($1.kind) : $0.people > $1.people }
        let others = named.dropFirst(limit).reduce(counts[Self.other] ?? 0) { $0 + $1.people }
        return [
            "people": .number(neighbours.count),
            "events": .array(
                named.prefix(limit).map { kind, people in
                    [
                        "type": .string(kind.type?.rawValue), "name": .string(kind.name), "people": .number(people),
                    ]
                }),
            "others": .number(others), "nothing": .number(neighbours.count { $0 == nil }),
        ]
    }

    private static func text(_ kind: EventKind) -> String { "\(kind.type?.rawValue ?? "") \(kind.name ?? "")" }
}
