package import TributaryJSON

/// Which settings a device has, as its report says.
package struct HeardSettings: Sendable, Equatable {
    /// The number of the newest stop in them; 0 for none.
    package var stop: Int64
    /// Seconds between two looks at the settings; 0 when it looks only at its start.
    package let interval: Int64

    /// No app looks less often than that, in seconds.
    private static let longest: Int64 = 30 * 86_400

    package init(stop: Int64, interval: Int64) {
        (self.stop, self.interval) = (max(0, stop), min(max(0, interval), Self.longest))
    }

    /// Reads the member `settings` of a report; nil when it is not there, as in reports of earlier clients.
    package init?(_ json: JSON?) {
        guard json?.objectValue != nil else { return nil }
        self.init(
            stop: json?["stop"]?.numberValue?.int64 ?? 0, interval: json?["interval"]?.numberValue?.int64 ?? 0)
    }

    package var json: JSON { ["stop": .number(stop), "interval": .number(interval)] }
}
