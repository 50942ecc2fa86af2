package import TributaryJSON

/// The stops of live plugins and destinations on the devices of a source. Devices get them with their settings.
package struct DeviceStops: Sendable, Equatable {
    /// The part of the app that stops.
    package enum Target: Sendable, Equatable {
        /// The live plugins; with a version, only while devices would run that version.
        case livePlugins(version: Int64?)
        /// A destination in the app, by its key.
        case destination(String)
    }

    package struct Stop: Sendable, Equatable {
        /// Grows by one with each stop of the source.
        package let number: Int64
        package let target: Target
        /// Whether nothing stops: devices only say that they heard it.
        package let isDrill: Bool
        package let startedAt: Int64
        /// When it ends by itself.
        package let until: Int64
        /// When a person ended it before that; nil when no person did.
        package var endedAt: Int64?

        package func isActive(at now: Int64) -> Bool { endedAt == nil && now < until }
    }

    /// Stops that are kept, and active ones of a source.
    private static let mostKept = 20
    package static let mostActive = 10
    /// The shortest and the longest stop, in milliseconds.
    package static let spans: ClosedRange<Int64> = 60_000...30 * 86_400_000
    /// Devices hear the number of a stop until an hour after its end.
    private static let announcedAfterwards: Int64 = 3_600_000

    /// The newest first.
    package private(set) var all: [Stop] = []

    package init() {}

    /// The number of the newest stop; 0 when there was none.
    package var newest: Int64 { all.first?.number ?? 0 }

    /// The number that settings have, so that devices report that they heard it; nil when no stop is recent.
    package func announced(at now: Int64) -> Int64? {
        guard let stop = all.first, now < (stop.endedAt ?? stop.until) + Self.announcedAfterwards else { return nil }
        return stop.number
    }

    /// Whether devices shall look for settings soon and report often: a stop began within a day and goes on.
    package func isWatched(at now: Int64) -> Bool {
        all.contains { $0.isActive(at: now) && now - $0.startedAt < 86_400_000 }
    }

    /// Whether devices do not run that version of the live plugins.
    package func stopsLivePlugins(_ version: Int64, at now: Int64) -> Bool {
        stopped(at: now).contains { target in
            if case .livePlugins(let stopped) = target { return stopped == nil || stopped == version }
            return false
        }
    }

    /// Whether devices run no live plugins at all.
    package func stopsAllLivePlugins(at now: Int64) -> Bool { stopped(at: now).contains(.livePlugins(version: nil)) }

    package func stopsDestination(_ key: String, at now: Int64) -> Bool {
        stopped(at: now).contains(.destination(key))
    }

    private func stopped(at now: Int64) -> [Target] {
        all.filter { !$0.isDrill && $0.isActive(at: now) }.map(\.target)
    }

    // MARK: Changes

    /// The stops with one more.
    /// - Throws: `Refusal` when too many go on.
    package func adding(
        _ target: Target, isDrill: Bool, from now: Int64, until: Int64
    ) throws(Refusal) -> DeviceStops {
        guard all.count(where: { $0.isActive(at: now) }) < Self.mostActive else {
            throw Refusal(.conflict, "\(Self.mostActive) stops go on already; end one first")
        }
        var changed = self
        let stop = Stop(number: newest + 1, target: target, isDrill: isDrill, startedAt: now, until: until)
        changed.all.insert(stop, at: 0)
        while changed.all.count > Self.mostKept, let oldest = changed.all.lastIndex(where: { !$0.isActive(at: now) }) {
            changed.all.remove(at: oldest)
        }
        return changed
    }

    /// The stops with one of them ended.
    /// - Throws: `Refusal` when it does not go on.
    package func ending(_ number: Int64, at now: Int64) throws(Refusal) -> DeviceStops {
        var changed = self
        guard let place = all.firstIndex(where: { $0.number == number && $0.isActive(at: now) }) else {
            throw .notFound("no stop \(number) goes on")
        }
        changed.all[place].endedAt = now
        return changed
    }

    // MARK: JSON

    /// The text that is stored; empty when there was no stop.
    package var stored: String {
        all.isEmpty ? "" : String(decoding: JSON.array(all.map { .object($0.json) }).encoded(), as: UTF8.self)
    }

    /// Reads a stored text. A stop of a kind that a later version made is left out: this server cannot carry it out.
    package init(stored: String) throws {
        guard !stored.isEmpty else { return }
        all = (try JSON.parse(Array(stored.utf8)).elements ?? []).compactMap(Stop.init)
    }
}

extension DeviceStops.Stop {
    /// The stop, with times in milliseconds.
    package var json: JSONObject {
        var object: JSONObject = ["number": .number(number)]
        switch target {
        case .livePlugins(let version):
            object["kind"] = "livePlugins"
            object["version"] = version.map { .number($0) }
        case .destination(let key):
            object["kind"] = "destination"
            object["destination"] = .string(key)
        }
        object["drill"] = .bool(isDrill)
        object["startedAt"] = .number(startedAt)
        object["until"] = .number(until)
        object["endedAt"] = endedAt.map { .number($0) }
        return object
    }

    fileprivate init?(_ json: JSON) {
        guard let number = json["number"]?.numberValue?.int64, let startedAt = json["startedAt"]?.numberValue?.int64,
            let until = json["until"]?.numberValue?.int64
        else { return nil }
        switch json["kind"]?.stringValue {
        case "livePlugins": target = .livePlugins(version: json["version"]?.numberValue?.int64)
        case "destination":
            guard let key = json["destination"]?.stringValue else { return nil }
            target = .destination(key)
        default: return nil
        }
        (self.number, self.startedAt, self.until) = (number, startedAt, until)
        isDrill = json["drill"] == true
        endedAt = json["endedAt"]?.numberValue?.int64
    }
}
