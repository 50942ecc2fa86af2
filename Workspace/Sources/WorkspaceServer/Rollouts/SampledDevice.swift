import TributaryJSON

/// A device in the sample of a roll-out, with its sums.
struct SampledDevice: Sendable, Equatable {
    /// The number of the newest report: reports of a device count up, and a repeated one has a number that was seen.
    private(set) var report: Int64
    private(set) var health = DeviceHealth(events: 0)
    /// What early reports said since the last regular one.
    private(set) var early = DeviceHealth(events: 0)
    /// Whether a regular report arrived in the stage of the newest report.
    private(set) var isInStage = false
    /// The stage of the newest report.
    private(set) var stage = 0

    /// A device that has not reported.
    init() { report = .min }

    mutating func add(_ other: DeviceHealth, report number: Int64, stage: Int, isEarly: Bool) {
        report = number
        self.stage = stage
        early.add(other)
        guard !isEarly else { return }
        health.add(early)
        early = DeviceHealth(events: 0)
        isInStage = true
    }

    mutating func beginStage(keepingSums isKept: Bool) {
        isInStage = false
        if !isKept { (health, early) = (DeviceHealth(events: 0), DeviceHealth(events: 0)) }
    }

    // MARK: JSON

    var json: JSON {
        [
            "report": .number(JSONNumber(report)), "health": health.json, "early": early.json,
            "isInStage": .bool(isInStage), "stage": .number(JSONNumber(stage)),
        ]
    }

    /// Reads a stored device.
    init(_ json: JSON) {
        report = json["report"]?.numberValue?.int64 ?? .min
        health = DeviceHealth(json["health"])
        early = DeviceHealth(json["early"])
        isInStage = json["isInStage"] == true
        stage = json["stage"]?.intValue ?? 0
    }
}

extension DeviceHealth {
    /// The counts, and behind them the destinations of filters, if there are some.
    fileprivate var json: JSON {
        var list = [events, faulty, dropped, microseconds, isBroken ? 1 : 0].map { JSON.number(JSONNumber($0)) }
        if !destinations.isEmpty {
            var object = JSONObject()
            for (name, counts) in destinations.sorted(by: { $0.key < $1.key }) {
                object[name] = [.number(JSONNumber(counts.events)), .number(JSONNumber(counts.dropped))]
            }
            list.append(.object(object))
        }
        return .array(list)
    }

    fileprivate init(_ json: JSON?) {
        let list = json?.elements ?? []
        let numbers = list.prefix(5).map { $0.intValue ?? 0 }
        guard numbers.count == 5 else {
            self.init(events: 0)
            return
        }
        var destinations: [String: FilteredCounts] = [:]
        for (name, counts) in list.dropFirst(5).first?.objectValue ?? [:] {
            destinations[name] = FilteredCounts(
                events: counts[0]?.intValue ?? 0, dropped: counts[1]?.intValue ?? 0)
        }
        self.init(
            events: numbers[0], faulty: numbers[1], dropped: numbers[2], microseconds: numbers[3],
            isBroken: numbers[4] == 1, destinations: destinations)
    }
}
