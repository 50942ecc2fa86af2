import Synchronization
package import TributaryJSON

/// Finds the events of a count of people, step by step, then the users of their devices, and then other events of these people.
package struct PeopleScan<Count: PeopleCount>: SteppingSearch {
    /// The count so far. It is changed in place, because it may be large.
    private final class Counted: Sendable {
        let count: Mutex<Count>

        init(_ count: Count) { self.count = Mutex(count) }
    }

    private enum Phase { case events, owners, following }

    private let storage: any PeopleStorage
    private let scans: Scans
    private let counted: Counted
    private let hiding: PersonalDataMask?
    private let kinds: [EventKind]
    private let needsText: Bool
    private let times: Range<Int64>
    private var parts: [EventPart]
    private let source: Int64
    private var phase = Phase.events
    /// The next one of the parts.
    private var place = 0
    /// The devices of events without a user; their users are looked for.
    private var devices: Set<PersonKey> = []
    /// When other events happened that are looked for, and of which people and devices.
    private let followedTimes: Range<Int64>?
    private var followed: Set<PersonKey> = []
    /// Numbers of events that were passed, and how many there are in one phase.
    private var passed: Int64 = 0
    private let all: Int64

    /// Also reads all days after those of the question: events of a device without network arrive late, and an import
    /// brings events of years ago.
    ///
    /// - Parameter hiding: hides personal data from the question.
    package init(
        _ count: Count, source: Int64, storage: any PeopleStorage, scans: Scans, hiding: PersonalDataMask? = nil
    ) {
        (kinds, needsText, times) = (count.kinds, count.needsText, count.times)
        parts = storage.parts(
            of: source, since: Day(milliseconds: count.times.lowerBound),
            most: count.needsText ? Limits.textsInScanStep : DaySchema.rowsOfIndexPart)
        all = parts.reduce(0) { $0 + Int64($1.numbers.count) }
        (self.storage, self.scans, counted, self.hiding) = (storage, scans, Counted(count), hiding)
        (self.source, followedTimes) = (source, count.followedTimes)
    }

    package mutating func step() async throws -> Bool {
        var left = Limits.numbersInPeopleStep
        while left > 0 {
            guard place < parts.count else { return try await beginNextPhase() }
            let part = parts[place]
            switch phase {
            case .events:
                let events = try await storage.events(of: kinds, at: times, in: part, hasText: needsText)
                try await look(at: events) { count, event throws in try count.take(event) }
            case .owners:
                let events = try await storage.events(of: devices, at: times, in: part)
                try await look(at: events) { count, event in count.note(event) }
            case .following: try await follow(in: part)
            }
            place += 1
            passed += Int64(part.numbers.count)
            left -= part.numbers.count
        }
        return true
    }

    private func look(
        at events: [PersonEvent], _ take: @escaping @Sendable (inout Count, PersonEvent) throws -> Void
    ) async throws {
        try await scans.look(at: events.count) { [counted, hiding] in
            try counted.count.withLock { count in
                for event in events { try take(&count, hiding.map(event.hidden(by:)) ?? event) }
            }
        }
    }

    private func follow(in part: EventPart) async throws {
        guard let followedTimes else { return }
        let events = try await storage.events(ofPeople: followed, at: followedTimes, in: part)
        try await scans.look(at: events.count) { [counted] in
            counted.count.withLock { count in for (event, kind) in events { count.follow(event, kind) } }
        }
    }

    /// - Returns: false when there is no more to do. When each event has a user, the second phase is left out.
    private mutating func beginNextPhase() async throws -> Bool {
        switch phase {
        case .events:
            devices = counted.count.withLock { $0.devices }
            (phase, place) = (.owners, 0)
            return devices.isEmpty ? try await beginNextPhase() : true
        case .owners:
            guard let followedTimes else { return false }
            followed = try await scans.look(at: 0) { [counted] in try counted.count.withLock { try $0.followed() } }
            parts = storage.parts(
                of: source, since: Day(milliseconds: followedTimes.lowerBound), most: DaySchema.rowsOfIndexPart)
            (phase, place) = (.following, 0)
            return !followed.isEmpty
        case .following: return false
        }
    }

    package var progress: JSON {
        [
            "looked": .number(passed), "most": .number(max(passed, (followedTimes == nil ? 2 : 3) * all)),
            "day": place < parts.count ? .string("\(parts[place].day)") : .null,
        ]
    }

    /// A person's steps depend on all events.
    package func part(limit: Int) -> JSON? { nil }

    package func result(limit: Int) async throws -> JSON {
        let result = try await scans.look(at: 0) { [counted] in counted.count.withLock { $0.json(limit: limit) } }
        return hiding?.hidden(counts: result) ?? result
    }
}
