import GRDB
package import TributaryJSON

extension SourceRegistry {
    /// Begins a stop on the devices of a source.
    /// - Throws: `Refusal` when the source has no such version or destination, or too many stops go on.
    package func stop(
        _ target: DeviceStops.Target, of writeKey: String, isDrill: Bool, from now: Int64, until: Int64
    ) async throws -> Source {
        try await change(writeKey) { db, source in
            try Self.check(target, of: source)
            let stops = try source.stops.adding(target, isDrill: isDrill, from: now, until: until)
            try db.execute(sql: "UPDATE source SET stops = ? WHERE id = ?", arguments: [stops.stored, source.id])
            return AuditEntry(action: .stopBegun, details: stops.all.first?.summary ?? [:])
        }
    }

    /// Ends a stop before its time.
    /// - Throws: `Refusal` when it does not go on.
    package func endStop(_ number: Int64, of writeKey: String, at now: Int64) async throws -> Source {
        try await change(writeKey) { db, source in
            let stops = try source.stops.ending(number, at: now)
            try db.execute(sql: "UPDATE source SET stops = ? WHERE id = ?", arguments: [stops.stored, source.id])
            return AuditEntry(action: .stopEnded, details: stops.all.first { $0.number == number }?.summary ?? [:])
        }
    }

    private static func check(_ target: DeviceStops.Target, of source: Source) throws(Refusal) {
        switch target {
        case .destination(let key):
            guard key != Source.cloudName, source.integrations[key] != nil else {
                throw .notFound("the settings of \(source.writeKey) have no destination \(key)")
            }
        case .livePlugins(let version):
            guard let newest = source.bundle?.version else {
                throw .notFound("no live plugins are deployed for \(source.writeKey)")
            }
            if let version, !(1...newest).contains(version) {
                throw .notFound("the source \(source.writeKey) has no live plugins version \(version)")
            }
        }
    }
}

extension DeviceStops.Stop {
    /// The stop as the administration shows it.
    package var summary: JSONObject {
        var object = json
        object["version"] = json["version"] ?? .some(.null)
        object["destination"] = json["destination"] ?? .some(.null)
        object["startedAt"] = .time(startedAt)
        object["until"] = .time(until)
        object["endedAt"] = .time(endedAt)
        return object
    }
}
