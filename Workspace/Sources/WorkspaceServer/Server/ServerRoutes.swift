import Hummingbird
import TributaryJSON
import WorkspaceCore

/// The state of the server for its operators: waiting requests, the disk, files that need a person, quotas.
struct ServerRoutes: Sendable {
    let parts: WorkspaceParts
    /// How many days events are kept; nil keeps all.
    let retainDays: Int?

    /// Names of files in one answer.
    private static let shownFiles = 100

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/server") { _, _ in Response.json(.object(try await state())) }
    }

    private func state() async throws -> JSONObject {
        var state = await parts.intake.state.json
        state["version"] = .string(Workspace.version)
        state["disk"] = .object(Self.disk(parts.store.folder.path))
        let files = try parts.store.folder.unreadableFiles()
        state["unreadableFiles"] = .number(files.count)
        state["unreadable"] = .array(files.prefix(Self.shownFiles).map(JSON.string))
        state["missingDays"] = .array(try await parts.store.missingDays().map { .string("\($0)") })
        state["retainDays"] = .number(retainDays)
        state["endangeredDays"] = try await parts.store.endangeredDays()?.json ?? .some(.null)
        state["quotas"] = .array(await parts.sources.all().compactMap(quota))
        // Refused requests belong to no source, and have the addresses of their senders.
        state["refused"] =
            Administrator.current.sight.isAll
            ? parts.refusals.json(await parts.sources.all()) : ["requests": [], "others": 0]
        state["countries"] = parts.countries?.json ?? .some(.null)
        return state
    }

    /// The disk of the data folder. A figure that the system does not give is left out.
    private static func disk(_ folder: String) -> JSONObject {
        let names = [
            "tributary_disk_free_bytes": "freeBytes", "tributary_disk_size_bytes": "sizeBytes",
            "tributary_data_bytes": "dataBytes",
        ]
        var disk = JSONObject()
        for (figure, value) in ProcessFigures.disk(folder) {
            if let name = names[figure], let number = JSONNumber(value) { disk[name] = .number(number) }
        }
        return disk
    }

    /// The number of events that a source sent today; nil when it has no quota.
    private func quota(_ source: Source) -> JSON? {
        let quota = source.policy.quota
        guard quota != Quota() else { return nil }
        let today = parts.quotas.today(of: source.id)
        return [
            "writeKey": .string(source.writeKey), "events": .number(today.events),
            "eventsPerDay": .number(quota.eventsPerDay), "refusedRequests": .number(today.refused),
        ]
    }
}

extension EndangeredDays {
    fileprivate var json: JSON {
        [
            "retainDays": .number(wanted), "keptBy": .number(kept ?? 0), "days": .number(days.count),
            "first": days.first.map { .string("\($0)") } ?? .null, "last": days.last.map { .string("\($0)") } ?? .null,
            "events": .number(events), "from": .string("\(from)"),
        ]
    }
}
