package import TributaryJSON

/// How many devices have heard of a stop, and when the others will.
///
/// It is an estimate from the last report of each device: a running device looks for settings at its interval, and its
/// report follows a look. It says what it does not know: a device that should have looked and was not heard of probably does
/// not run, and hears of the stop when it starts.
package struct StopReach: Sendable, Equatable {
    /// A device of the sample.
    package struct Device: Sendable {
        /// When its last report came, in milliseconds since 1970.
        let reportedAt: Int64
        /// Nil when its client does not say which settings it has.
        let heard: HeardSettings?

        package init(reportedAt: Int64, heard: HeardSettings?) { (self.reportedAt, self.heard) = (reportedAt, heard) }
    }

    /// When a share of the devices has heard.
    package enum Forecast: Sendable, Equatable {
        case reached
        /// In milliseconds since 1970.
        case at(Int64)
        /// So many of the devices are silent that only their next start decides.
        case unknown
    }

    /// The shares that are foretold, in percent.
    package static let shares = [50, 90, 99]
    /// A device is given that much more time than its interval before it counts as silent: timers are late, and a report takes
    /// its time. In milliseconds, and at least half an interval.
    private static let grace: Int64 = 30_000

    /// Devices that have reported the number of the stop, or a higher number.
    package private(set) var confirmed = 0
    /// Devices that probably run and will look for settings.
    package private(set) var expected = 0
    /// Devices that should have looked, and were not heard of.
    package private(set) var silent = 0
    /// Devices with a client that does not say what it heard.
    package private(set) var unable = 0
    /// By percent.
    package private(set) var forecasts: [Int: Forecast] = [:]

    /// - Parameters:
    ///   - devices: a fair sample of the devices that reported within the last day.
    ///   - cacheSeconds: how long caches may keep settings.
    package init(of devices: [Device], number: Int64, startedAt: Int64, now: Int64, cacheSeconds: Int64) {
        var looks: [Int64] = []
        for device in devices {
            guard let heard = device.heard else {
                unable += 1
                continue
            }
            guard heard.stop < number else {
                confirmed += 1
                continue
            }
            let interval = heard.interval * 1000
            guard interval > 0 else {
                silent += 1
                continue
            }
            let look = Self.nextLook(after: max(startedAt, device.reportedAt), from: device.reportedAt, interval)
            let latest = look + cacheSeconds * 1000
            if latest + max(Self.grace, interval / 2) >= now {
                looks.append(max(latest, now))
            } else {
                silent += 1
            }
        }
        expected = looks.count
        looks.sort()
        for share in Self.shares { forecasts[share] = forecast(share, looks) }
    }

    /// All devices that can say what they heard.
    package var able: Int { confirmed + expected + silent }

    /// The first look after a time, of looks at an interval since another time.
    private static func nextLook(after time: Int64, from first: Int64, _ interval: Int64) -> Int64 {
        first + ((time - first) / interval + 1) * interval
    }

    private func forecast(_ share: Int, _ looks: [Int64]) -> Forecast {
        guard able > 0 else { return .unknown }
        let needed = (able * share + 99) / 100
        if needed <= confirmed { return .reached }
        let place = needed - confirmed - 1
        return looks.indices.contains(place) ? .at(looks[place]) : .unknown
    }

    package var json: JSON {
        [
            "confirmed": .number(confirmed), "expected": .number(expected), "silent": .number(silent),
            "unable": .number(unable),
            "forecasts": .array(Self.shares.map { share in Self.json(share, forecasts[share] ?? .unknown) }),
        ]
    }

    private static func json(_ share: Int, _ forecast: Forecast) -> JSON {
        let (state, time): (String, Int64?) =
            switch forecast {
            case .reached: ("reached", nil)
            case .at(let time): ("expected", time)
            case .unknown: ("unknown", nil)
            }
        return ["percent": .number(share), "state": .string(state), "at": .time(time)]
    }
}
