package import Foundation

/// The days of the calendar in a time zone.
extension TimeZone {
    /// The zone of a name such as `Europe/Berlin`.
    package init(named name: String) throws(Refusal) {
        let isName = name.utf8.allSatisfy {
            0x30...0x39 ~= $0 || 0x41...0x5a ~= $0 || 0x61...0x7a ~= $0 || "/_+-".utf8.contains($0)
        }
        guard isName, name.utf8.count <= 64, let zone = TimeZone(identifier: name) else {
            throw .invalid("zone is the name of a time zone, such as Europe/Berlin")
        }
        self = zone
    }

    /// The day of its calendar at a time.
    package func day(at time: Int64) -> Day { Day(milliseconds: time + Int64(seconds(at: time)) * 1_000) }

    func seconds(at time: Int64) -> Int {
        secondsFromGMT(for: Date(timeIntervalSince1970: Double(time) / 1_000))
    }

    /// The first millisecond of a day. A clock that is put forward at midnight makes it a later one.
    func start(of day: Day) -> Int64 {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = self
        // No clock is changed at noon.
        let noon = day.start + Day.milliseconds / 2
        let there = Date(timeIntervalSince1970: Double(noon) / 1_000 - Double(seconds(at: noon)))
        return Int64((calendar.startOfDay(for: there).timeIntervalSince1970 * 1_000).rounded())
    }
}

extension Day {
    /// Its first millisecond in a time zone; nil is UTC.
    package func start(in zone: TimeZone?) -> Int64 { zone.map { $0.start(of: self) } ?? start }
}

extension ClosedRange<Day> {
    /// The days of UTC in which these days of a time zone lie.
    package func inUTC(of zone: TimeZone?) -> ClosedRange<Day> {
        let times = times(in: zone)
        return Day(milliseconds: times.lowerBound)...Day(milliseconds: times.upperBound - 1)
    }

    /// All milliseconds of the days in a time zone; nil is UTC.
    package func times(in zone: TimeZone?) -> Range<Int64> {
        lowerBound.start(in: zone)..<upperBound.advanced(by: 1).start(in: zone)
    }
}

extension TimeZone? {
    /// Its name; nil is UTC.
    package var shownName: String {
        let name = self?.identifier ?? "UTC"
        return name == "GMT" ? "UTC" : name
    }
}
