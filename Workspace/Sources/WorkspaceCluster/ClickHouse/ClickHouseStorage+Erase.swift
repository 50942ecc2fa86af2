import Foundation
import WorkspaceCore
import WorkspaceServer

extension ClickHouseStorage {
    func remove(_ day: Day) async throws {
        try await client.run(ClickHouseQuery("ALTER TABLE \(table) DROP PARTITION \(day.number)"))
        // Old servers look for the last block of a day that a quorum has, even after the day was dropped. They find
        // this block.
        try await insertMarker(day)
    }

    func removeAll(
        of source: Int64, overwriting: Bool, _ progress: @escaping @Sendable (ErasureProgress) -> Void
    ) async throws -> Int {
        var query = ClickHouseQuery()
        let bound = query.value(source)
        query.text = """
            SELECT day, kind, count() FROM (
                SELECT DISTINCT day, kind, key FROM \(table)
                WHERE kind != \(ClickHouseTable.markerKind) AND source = \(bound))
            GROUP BY day, kind
            """
        var answer = try await client.read(query)
        var state = ErasureProgress()
        var days: Set<Day> = []
        while !answer.isAtEnd {
            days.insert(Day(number: Int64(try answer.number(Int32.self))))
            let kind = try answer.number(UInt8.self)
            state.erased.count(try answer.number(UInt64.self), of: RowIdentity.Kind(rawValue: kind))
        }
        guard !days.isEmpty else { return 0 }
        state.days = days.count
        progress(ErasureProgress(days: days.count))
        try await delete(on: days, where: "source = \(source)")
        state.daysDone = days.count
        progress(state)
        return state.erased.events
    }

    /// Looks for the rows first, and deletes them by their numbers: servers keep the text of a deletion, so it must not
    /// name the erased person.
    func erase(_ person: Person, _ progress: @escaping @Sendable (ErasureProgress) -> Void) async throws {
        var person = person
        person.anonymousIds.formUnion(try await anonymousIds(of: person))
        let days = try await days()
        var state = ErasureProgress(days: days.count, devices: person.anonymousIds)
        progress(state)
        for day in days {
            try Task.checkCancellation()
            var subjects = try await subjects(person, on: day)
            subjects += try await traces(of: subjects, on: day)
            try await delete(subjects, on: day)
            for kind in RowIdentity.Kind.allCases {
                let identities = Set(subjects.filter { $0.identity.kind == kind }.map(\.identity))
                state.erased.count(UInt64(identities.count), of: kind)
            }
            state.daysDone += 1
            progress(state)
        }
    }

    // MARK: Finding

    private struct Subject: Sendable {
        let identity: RowIdentity
        let number: Int64
        var messageId: String?
    }

    private func anonymousIds(of person: Person) async throws -> Set<Data> {
        var query = ClickHouseQuery()
        let userId = query.value(person.bytes)
        query.text = """
            SELECT DISTINCT assumeNotNull(anonymousId) FROM \(table)
            WHERE kind = \(RowIdentity.Kind.event.rawValue) AND userId = \(userId) AND isNotNull(anonymousId)
            """
        var answer = try await client.read(query)
        var ids: Set<Data> = []
        while !answer.isAtEnd { ids.insert(Data(try answer.bytes())) }
        return ids
    }

    /// The rows about a person, including all repetitions of a row.
    private func subjects(_ person: Person, on day: Day) async throws -> [Subject] {
        var query = ClickHouseQuery()
        let (event, signal) = (RowIdentity.Kind.event.rawValue, RowIdentity.Kind.signal.rawValue)
        let (day, userId) = (query.value(day.number), query.value(person.bytes))
        let devices = query.list(person.anonymousIds.map { [UInt8]($0) })
        // A body that cannot be read counts when the id occurs anywhere in it.
        query.text = """
            SELECT kind, source, key, number, messageId FROM \(table)
            WHERE day = \(day) AND kind != \(ClickHouseTable.markerKind) AND (
                (kind = \(event) AND userId = \(userId)) OR has(mentions, \(userId))
                OR (kind IN (\(event), \(signal)) AND isNull(userId) AND assumeNotNull(anonymousId) IN \(devices)
                    AND isNotNull(anonymousId))
                OR (has(mentions, '') AND position(body, \(userId)) > 0))
            """
        var answer = try await client.read(query)
        var subjects: [Subject] = []
        while !answer.isAtEnd {
            subjects.append(
                Subject(
                    identity: try answer.identity(), number: try answer.number(), messageId: try answer.optionalText()))
        }
        return subjects
    }

    /// The traces of the erased events that do not name the person themselves.
    private func traces(of subjects: [Subject], on day: Day) async throws -> [Subject] {
        let known = Set(subjects.map(\.identity))
        let identities = Set(
            subjects.compactMap { subject -> RowIdentity? in
                guard subject.identity.kind == .event, let id = subject.messageId else { return nil }
                return RowIdentity(kind: .trace, source: subject.identity.source, id: id)
            }
        ).subtracting(known)
        guard !identities.isEmpty else { return [] }
        var query = ClickHouseQuery()
        let (day, keys) = (query.value(day.number), query.list(identities.map(\.key)))
        query.text = """
            SELECT kind, source, key, number FROM \(table)
            WHERE day = \(day) AND kind = \(RowIdentity.Kind.trace.rawValue) AND key IN \(keys)
            """
        var answer = try await client.read(query)
        var traces: [Subject] = []
        while !answer.isAtEnd {
            let trace = Subject(identity: try answer.identity(), number: try answer.number())
            if identities.contains(trace.identity) { traces.append(trace) }
        }
        return traces
    }

    // MARK: Deleting

    private func delete(_ subjects: [Subject], on day: Day) async throws {
        for start in stride(from: 0, to: subjects.count, by: Limits.rowsErasedAtOnce) {
            let step = subjects[start..<min(start + Limits.rowsErasedAtOnce, subjects.count)]
            let kinds = Dictionary(grouping: step, by: \.identity.kind).sorted { $0.key.rawValue < $1.key.rawValue }
            let conditions = kinds.map { kind, subjects in
                "(kind = \(kind.rawValue) AND number IN (\(subjects.map { String($0.number) }.joined(separator: ", "))))"
            }
            try await delete(on: [day], where: "day = \(day.number) AND (\(conditions.joined(separator: " OR ")))")
        }
    }

    /// Deletes rows on all replicas, and waits until no replica has one of them.
    ///
    /// Servers leave out the last block of a day that a quorum has confirmed, so a block without content is inserted
    /// first.
    /// - Parameter condition: has only integers of the program, because servers keep its text.
    private func delete(on days: Set<Day>, where condition: String) async throws {
        for day in days.sorted() { try await insertMarker(day) }
        let rows = "kind != \(ClickHouseTable.markerKind) AND \(condition)"
        try await client.run(ClickHouseQuery("ALTER TABLE \(table) DELETE WHERE \(rows)"))
        let end = ContinuousClock.now + Limits.columnStoreErasure
        for host in client.hosts {
            while true {
                let left = try await left(rows, on: host)
                if left == "0" { break }
                guard ContinuousClock.now < end else {
                    throw ClickHouseError.notErased("\(client.settings.hosts[host]) has \(left) of them")
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// The number of rows that a replica still has, or the reason why it does not answer.
    private func left(_ condition: String, on host: Int) async throws -> String {
        do {
            // Rows that the replica has yet to fetch count as well.
            try await client.run(ClickHouseQuery("SYSTEM SYNC REPLICA \(table)"), on: host)
            var answer = try await client.read(
                ClickHouseQuery("SELECT count() FROM \(table) WHERE \(condition)"), from: host)
            return String(try answer.number(UInt64.self))
        } catch let error as ClickHouseError where error.isPassing {
            return "an unknown number (\(error))"
        }
    }

    private func insertMarker(_ day: Day) async throws {
        let key = MessageKey(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
        try await insert([ClickHouseRow.marker(day, key)])
    }
}

extension Erased {
    fileprivate mutating func count(_ count: UInt64, of kind: RowIdentity.Kind?) {
        let count = Int(clamping: count)
        switch kind {
        case .event: events += count
        case .rejected: rejected += count
        case .trace: traces += count
        case .signal: signals += count
        case nil: break
        }
    }
}
