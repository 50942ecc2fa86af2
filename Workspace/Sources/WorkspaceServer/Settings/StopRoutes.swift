import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes that stop live plugins or a destination on the devices of a source, and show how far a stop has come.
struct StopRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/sources/:writeKey/stops") { _, context in
            try await list(try await sources.known(context.pathParameter("writeKey")))
        }
        router.post("api/sources/:writeKey/stops") { request, context in
            let change = try Change(try await AdministrationBody.json(request))
            let now = now()
            let source = try await sources.stop(
                change.target, of: context.pathParameter("writeKey"), isDrill: change.isDrill, from: now,
                until: now + change.milliseconds)
            return Response.json(.object(source.stops.all.first?.summary ?? [:]), status: .created)
        }
        router.delete("api/sources/:writeKey/stops/:number") { _, context in
            let number = try context.pathNumber("number")
            let source = try await sources.endStop(number, of: context.pathParameter("writeKey"), at: now())
            return Response.json(.object(source.stops.all.first { $0.number == number }?.summary ?? [:]))
        }
    }

    private func list(_ source: Source) async throws -> Response {
        let now = now()
        let (devices, sampled) = try await store.hearingDevices(of: source.id, since: now - Day.milliseconds)
        let cacheSeconds = Int64(Attention.closeCacheSeconds)
        let stops = source.stops.all.map { stop in
            var json = stop.summary
            json["active"] = .bool(stop.isActive(at: now))
            json["reach"] =
                StopReach(
                    of: sampled, number: stop.number, startedAt: stop.startedAt, now: now, cacheSeconds: cacheSeconds
                ).json
            return JSON.object(json)
        }
        return Response.json([
            "stops": .array(stops), "devices": .number(devices), "sampled": .number(sampled.count),
        ])
    }

    /// The body of a request for a stop.
    private struct Change {
        /// How long a stop lasts by default.
        static let usualSeconds: Int64 = 86_400

        let target: DeviceStops.Target
        let isDrill: Bool
        let milliseconds: Int64

        init(_ json: JSON) throws(Refusal) {
            switch json["kind"]?.stringValue {
            case "livePlugins":
                let version = json["version"].flatMap { $0.isNull ? nil : $0 }
                guard version == nil || version?.numberValue?.int64 != nil else {
                    throw .invalid("version is the number of a version")
                }
                target = .livePlugins(version: version?.numberValue?.int64)
            case "destination":
                guard let key = json["destination"]?.stringValue, !key.isEmpty else {
                    throw .invalid("destination is the key of a destination")
                }
                target = .destination(key)
            default: throw .invalid("kind is livePlugins or destination")
            }
            let seconds = json["seconds"].map { $0.numberValue?.int64 ?? 0 } ?? Self.usualSeconds
            let allowed = DeviceStops.spans.lowerBound / 1000...DeviceStops.spans.upperBound / 1000
            guard allowed.contains(seconds) else {
                throw .invalid("seconds is a number from \(allowed.lowerBound) to \(allowed.upperBound)")
            }
            guard json["drill"] == nil || json["drill"] == true || json["drill"] == false else {
                throw .invalid("drill is true or false")
            }
            milliseconds = seconds * 1000
            isDrill = json["drill"] == true
        }
    }
}
