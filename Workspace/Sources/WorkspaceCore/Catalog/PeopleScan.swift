import Synchronization
package import TributaryJSON

/// Finds the events of a count of people, step by step, and then the users of their devices.
package struct PeopleScan<Count: PeopleCount>: SteppingSearch {
    /// The count so far. It is changed in place, because it may be large.
    private final class Counted: Sendable {
        let count: Mutex<Count>

        init(_ count: Count) { self.count = Mutex(count) }
    }

    private enum Phase { case events, owners }

    private let storage: any PeopleStorage
    private let scans: Scans
    private let counted: Counted
    private let kinds: [EventKind]
    private let needsText: Bool
    private let days: ClosedRange<Day>
    private let parts: [EventPart]
    private var phase = Phase.events
    /// The next one of the parts.
    private var place = 0
    /// The devices of events without a user; their users are looked for.
    private var devices: Set<PersonKey> = []
    /// Numbers of events that were passed, and how many there are in one phase.
    private var passed: Int64 = 0
    private let all: Int64

    /// Also reads all days after those of the question: events of a device without network arrive late, and an import
    /// brings events of years ago.
    package init(_ count: Count, source: Int64, storage: any PeopleStorage, scans: Scans) {
        (kinds, needsText, days) = (count.kinds, count.needsText, count.days)
        parts = storage.parts(
            of: source, since: count.days.lowerBound,
            most: count.needsText ? Limits.textsInScanStep : DaySchema.rowsOfIndexPart)
        all = parts.reduce(0) { $0 + Int64($1.numbers.count) }
        (self.storage, self.scans, counted) = (storage, scans, Counted(count))
    }

    package mutating func step() async throws -> Bool {
        var left = Limits.numbersInPeopleStep
        while left > 0 {
            guard place < parts.count else { return beginNextPhase() }
            let part = parts[place]
            switch phase {
            case .events:
                let events = try await storage.events(of: kinds, on: days, in: part, hasText: needsText)
                try await look(at: events) { count, event throws in try count.take(event) }
            case .owners:
                let events = try await storage.events(of: devices, on: days, in: part)
                try await look(at: events) { count, event in count.note(event) }
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
        try await scans.look(at: events.count) { [counted] in
            try counted.count.withLock { count in for event in events { try take(&count, event) } }
        }
    }

    /// - Returns: false when there is no more to do. When each event has a user, the second phase is left out.
    private mutating func beginNextPhase() -> Bool {
        guard phase == .events else { return false }
        devices = counted.count.withLock { $0.devices }
        (phase, place) = (.owners, 0)
        return !devices.isEmpty
    }

    package var progress: JSON {
        [
            "looked": .number(passed), "most": .number(2 * all),
            "day": place < parts.count ? .string("\(parts[place].day)") : .null,
        ]
    }

    /// A person's steps depend on all events.
    package func part(limit: Int) -> JSON? { nil }

    package func result(limit: Int) async throws -> JSON {
        try await scans.look(at: 0) { [counted] in counted.count.withLock { $0.json(limit: limit) } }
    }
}
