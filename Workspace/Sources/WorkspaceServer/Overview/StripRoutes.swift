import Foundation
import Hummingbird
import TributaryJSON
import WorkspaceCore

/// The last day of all sources in half hours: what became of events, how late destinations are, and the disk.
struct StripRoutes: Sendable {
    let store: Store
    let sources: SourceRegistry
    let readYourWrites: ReadYourWrites
    let retainDays: Int?
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/overview") { request, _ in
            let writeKey = QueryReader(request).text("writeKey")
            let chosen = if let writeKey { [try await sources.known(writeKey)] } else { await sources.all() }
            guard store.storage.hasDayFiles else {
                throw Refusal(
                    .unsupported,
                    "a cluster does not count half hours; let Prometheus read the metrics of its nodes")
            }
            await readYourWrites.wait()
            return Response.json(try await overview(of: chosen))
        }
    }

    private func overview(of sources: [Source]) async throws -> JSON {
        let now = now()
        let last = StripCounter.number(of: now)
        var strips: [JSON] = []
        for source in sources {
            let strip = try await store.strip(of: source.id, through: last)
            var json = Self.json(strip.events, [.accepted, .rejected, .dropped])
            json["writeKey"] = .string(source.writeKey)
            json["name"] = .string(source.name)
            json["destinations"] = .array(
                try await store.destinations(of: source.id).map { destination in
                    var json = Self.json(strip.destinations[destination.id] ?? [:], [.delivered, .refused, .lag])
                    json["name"] = .string(destination.name)
                    json["isEnabled"] = .bool(destination.isEnabled)
                    return .object(json)
                })
            strips.append(.object(json))
        }
        return [
            "since": .time((last - StripCounter.cells + 1) * StripCounter.cell), "at": .time(now),
            "minutes": .number(StripCounter.cell / 60_000), "sources": .array(strips), "disk": try await disk(now),
        ]
    }

    /// Kinds without a count have a row of zeros.
    private static func json(_ counts: [StripCounter.Kind: [Int64]], _ kinds: [StripCounter.Kind]) -> JSONObject {
        let empty = [Int64](repeating: 0, count: Int(StripCounter.cells))
        return kinds.reduce(into: JSONObject()) { $0[$1.rawValue] = .numbers(counts[$1] ?? empty) }
    }

    private func disk(_ now: Int64) async throws -> JSON {
        guard let disk = try? FileManager.default.attributesOfFileSystem(forPath: store.folder.path),
            let free = (disk[.systemFreeSize] as? NSNumber)?.int64Value,
            let size = (disk[.systemSize] as? NSNumber)?.int64Value
        else { return .null }
        let trend = try await DiskTrend.read(
            store, free: free, retainDays: retainDays, today: Day(milliseconds: now))
        return [
            "freeBytes": .number(free), "sizeBytes": .number(size), "bytesPerDay": .number(trend.bytesPerDay),
            "fullOn": trend.fullOn.map { .string("\($0)") } ?? .null,
        ]
    }
}
