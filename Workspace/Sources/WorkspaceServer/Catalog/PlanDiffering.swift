import TributaryJSON
import WorkspaceCore

/// Looks for stored events that differ from the tracking plan.
struct PlanDiffering: Sendable {
    let judge: PlanJudge
    /// Only events with such a difference; with any when nil.
    var problem: PlanJudge.Problem.Kind?
    /// Only events with a difference of this property.
    var key: String?

    /// An event that differs, as the API shows it; nil for another one.
    func json(_ row: StoredRow) -> JSON? {
        guard let (name, messageId) = Self.read(row.body) else { return nil }
        let problems = judge.problems(of: name, row.body)
        let isWanted = problems.contains { one in
            (problem.map { $0 == one.kind } ?? true) && (key.map { one.key?.isSameText(as: $0) == true } ?? true)
        }
        guard isWanted else { return nil }
        return [
            "messageId": .string(messageId), "type": .string(name.type.rawValue), "name": .string(name.text),
            "receivedAt": .time(row.times?.received), "problems": .array(problems.map(\.json)),
        ]
    }

    /// The name under which an event is counted; nil for a text that is no event.
    static func name(of body: [UInt8]) -> CountedName? { read(body)?.0 }

    private static func read(_ body: [UInt8]) -> (CountedName, String)? {
        body.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            guard scanner.peek == UInt8(ascii: "{"),
                let object = try? ScannedObject(&scanner, ["type", "event", "name", "messageId"]),
                let type = object.text("type").flatMap(EventType.init(rawValue:))
            else { return nil }
            let name: String? =
                switch type {
                case .track: object.text("event")
                case .page, .screen: object.text("name")
                case .identify, .group, .alias: nil
                }
            return (CountedName(type, name: name), object.text("messageId") ?? "")
        }
    }
}

extension Store {
    /// The events of a query that differ, as far as one answer looks.
    func differing(_ search: PlanDiffering, _ query: EventQuery, _ scans: Scans) async throws -> JSON {
        var rows = try await rowQuery(query, .bodies)
        rows.limit = Limits.rowsInScanStep
        var (events, looked, next) = ([JSON](), 0, Int64?.none)
        search: while true {
            let found = try await storage.rows(rows)
            let differing = try await scans.look(at: found.count) { found.map(search.json) }
            for (row, json) in zip(found, differing) {
                (looked, next) = (looked + 1, row.sequence)
                if let json { events.append(json) }
                if events.count == query.limit || looked == Limits.planLooks { break search }
            }
            guard found.count == rows.limit else {
                next = nil
                break
            }
            rows.before = found.last?.sequence
        }
        return ["events": .array(events), "lookedAt": .number(looked), "next": .number(next)]
    }
}
