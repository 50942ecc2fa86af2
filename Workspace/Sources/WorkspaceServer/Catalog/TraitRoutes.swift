import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Finds people by their traits, and groups with their members. Nothing is prepared for it, so the answers report their
/// progress.
struct TraitRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let readYourWrites: ReadYourWrites
    let scans: Scans

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/people") { request, _ in
            let reader = QueryReader(request)
            guard let text = reader.text("search"), text.utf8.count <= Limits.traitText else {
                throw Refusal.invalid("search is a part of a trait or of a user id, of 1 to \(Limits.traitText) bytes")
            }
            let limit = try reader.listedPeople()
            return try await answer(request, reader, .identify) { days, query in
                try await TraitSearch(text, limit: limit, on: days, query, storage: store.storage, scans: scans)
            }
        }
        router.get("api/groups") { request, _ in
            let reader = QueryReader(request)
            let text = reader.text("search")
            guard text?.utf8.count ?? 0 <= Limits.traitText else {
                throw Refusal.invalid("search has at most \(Limits.traitText) bytes")
            }
            return try await answer(request, reader, .group) { days, query in
                try await GroupSearch(
                    group: nil, text: text, on: days, query, storage: store.storage, scans: scans)
            }
        }
        router.get("api/groups/members") { request, _ in
            let reader = QueryReader(request)
            // The id is no part of the path, where `..` would be a folder.
            guard let group = reader.text("groupId"), group.utf8.count <= Limits.identifierLength else {
                throw Refusal.invalid("groupId is the id of a group, of 1 to \(Limits.identifierLength) bytes")
            }
            return try await answer(request, reader, .group) { days, query in
                try await GroupSearch(
                    group: group, text: nil, on: days, query, storage: store.storage, scans: scans)
            }
        }
    }

    private func answer(
        _ request: Request, _ reader: QueryReader, _ type: EventType,
        _ search: (ClosedRange<Day>, RowQuery) async throws -> some SteppingSearch
    ) async throws -> Response {
        guard let writeKey = reader.text("writeKey") else { throw Refusal.invalid("writeKey names the source") }
        _ = try await sources.known(writeKey)
        guard Administrator.current.sight.personalData == .shown else { throw Refusal.personalData }
        let limit = try reader.listedPeople()
        let query = EventQuery(matches: [
            EventQuery.Match(column: .writeKey, value: writeKey), EventQuery.Match(column: .type, value: type.rawValue),
        ])
        let rows = try await store.rowQuery(query, .bodies)
        let (since, until) = (try reader.time("since"), try reader.time("until"))
        try scans.checkRoom()
        await readYourWrites.wait()
        let days = try await days(since, until)
        let found = try await search(days, rows)
        return SteppingAnswer(scans: scans, limit: limit).response(request, found)
    }

    /// All days that have something, unless the query says which.
    private func days(_ since: Int64?, _ until: Int64?) async throws -> ClosedRange<Day> {
        let known = try await store.storage.days()
        let first = since.map { Day(milliseconds: $0) } ?? known.first ?? Day(milliseconds: 0)
        let last = until.map { Day(milliseconds: $0 - 1) } ?? known.last ?? first
        guard first <= last else {
            guard since == nil || until == nil else { throw Refusal.invalid("since must be before until") }
            return first...first
        }
        return first...last
    }
}

extension QueryReader {
    /// How many people, groups or members are listed.
    fileprivate func listedPeople() throws(Refusal) -> Int {
        let limit = try number("limit") ?? Limits.listedPeople
        guard (1...Limits.mostListedPeople).contains(limit) else {
            throw .invalid("limit is a number from 1 to \(Limits.mostListedPeople)")
        }
        return Int(limit)
    }
}
