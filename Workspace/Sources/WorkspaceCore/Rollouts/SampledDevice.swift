package import TributaryJSON

/// A device in the sample of a roll-out, with its sums.
package struct SampledDevice: Sendable, Equatable {
    /// The number of the newest report: reports of a device count up, and a repeated one has a number that was seen.
    package private(set) var report: Int64
    package private(set) var health = DeviceHealth(events: 0)
    /// The sums of early reports since the last regular one.
    private(set) var early = DeviceHealth(events: 0)
    /// Whether a regular report arrived in the stage of the newest report.
    private(set) var isInStage = false
    /// The stage of the newest report.
    package private(set) var stage = 0

    /// A device that has not reported.
    package init() { report = .min }

    package mutating func add(_ other: DeviceHealth, report number: Int64, stage: Int, isEarly: Bool) {
        report = number
        self.stage = stage
        early.add(other)
        guard !isEarly else { return }
        health.add(early)
        early = DeviceHealth(events: 0)
        isInStage = true
    }

    /// Adds a report that came in an earlier stage. It says nothing about the present one.
    /// - Parameter isKept: whether the sums of the stages before still count.
    mutating func addLate(
        _ other: DeviceHealth, report number: Int64, isEarly: Bool, keepingSums isKept: Bool
    ) {
        report = number
        guard isKept else { return }
        early.add(other)
        guard !isEarly else { return }
        health.add(early)
        early = DeviceHealth(events: 0)
    }

    mutating func beginStage(keepingSums isKept: Bool) {
        isInStage = false
        if !isKept { (health, early) = (DeviceHealth(events: 0), DeviceHealth(events: 0)) }
    }

    // MARK: JSON

    package var json: JSON {
        [
            "report": .number(report), "health": health.json, "early": early.json, "isInStage": .bool(isInStage),
            "stage": .number(stage),
        ]
    }

    /// Reads a stored device.
    package init(_ json: JSON) {
        report = json["report"]?.numberValue?.int64 ?? .min
        health = DeviceHealth(json["health"])
        early = DeviceHealth(json["early"])
        isInStage = json["isInStage"] == true
        stage = json["stage"]?.intValue ?? 0
    }
}
