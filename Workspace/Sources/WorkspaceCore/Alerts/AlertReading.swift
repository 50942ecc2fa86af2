/// The result of one look at the state that a rule is about, with a sentence for people.
package enum AlertReading: Sendable, Equatable {
    /// The rule holds: the alert begins, or goes on.
    case bad(String)
    /// Neither bad enough for an alert to begin, nor good enough for one to end.
    case between(String)
    case good(String)
    /// Not enough is known; nothing changes.
    case unknown(String)

    package var text: String {
        switch self {
        case .bad(let text), .between(let text), .good(let text), .unknown(let text): text
        }
    }

    /// - Parameters:
    ///   - seen: when an event was seen last, or since when it is looked for.
    ///   - isEvent: whether an event was seen.
    package static func silence(
        of event: String, minutes: Int64, seen: Int64, isEvent: Bool, now: Int64
    ) -> AlertReading {
        let age = max(0, now - seen)
        let name = PlainName.shown(event)
        if age >= minutes * 60_000 { return .bad("no event \(name) for \(span(age))") }
        return isEvent
            ? .good("the last event \(name) came \(span(age)) ago")
            : .unknown("looked for an event \(name) for \(span(age)) so far")
    }

    /// - Parameter counts: nil when there is nothing to compare with yet.
    package static func rejected(
        _ counts: CountWindow.Counts?, percent: Int64, minutes: Int64, atLeast: Int64
    ) -> AlertReading {
        guard let counts else { return .unknown("the events are counted from now on") }
        let text = "\(counts.bad) of \(counts.all) events of the last \(span(minutes * 60_000)) were rejected"
        guard counts.all >= atLeast else { return .good(text) }
        if counts.bad * 100 > percent * counts.all { return .bad(text) }
        return counts.bad * 125 > percent * counts.all ? .between(text) : .good(text)
    }

    /// - Parameters:
    ///   - event: the planned event; nil for all names.
    ///   - count: how many events differed in these minutes; nil when there is nothing to compare with yet.
    package static func plan(of event: String?, minutes: Int64, atLeast: Int64, count: Int64?) -> AlertReading {
        guard let count else { return .unknown("the events that differ are counted from now on") }
        let name = event.map { " \(PlainName.shown($0))" } ?? ""
        let events = "\(count) event\(count == 1 ? "" : "s")\(name)"
        let text = "\(events) of the last \(span(minutes * 60_000)) differed from the tracking plan"
        if count >= atLeast { return .bad(text) }
        return count * 5 > atLeast * 4 ? .between(text) : .good(text)
    }

    /// The version that loses the largest share decides.
    /// - Parameter ledger: what devices say of the last minutes.
    package static func loss(
        _ ledger: LossLedger, percent: Int64, minutes: Int64, atLeast: Int64
    ) -> AlertReading {
        let time = span(minutes * 60_000)
        let known = ledger.apps.filter { Int64($0.line.devices) >= atLeast && $0.line.lossShare != nil }
        guard let worst = known.max(by: { $0.line.lossShare ?? 0 < $1.line.lossShare ?? 0 }) else {
            return .unknown("fewer than \(atLeast) devices with one version of the app reported in the last \(time)")
        }
        let (lost, tracked) = (Int64(worst.line.losses), Int64(worst.line.sums[.tracked]))
        let app = worst.app.version.map(PlainName.shown) ?? "without a version"
        let text =
            "app \(app) lost \(lost) of \(tracked) events of which \(worst.line.devices) devices told in the last \(time)"
        let share = Double(lost) * 100 / Double(tracked)
        if share > Double(percent) { return .bad(text) }
        return share * 1.25 > Double(percent) ? .between(text) : .good(text)
    }

    /// - Parameter oldest: when the oldest waiting event came; nil when none waits.
    package static func lag(of destination: String, minutes: Int64, oldest: Int64?, now: Int64) -> AlertReading {
        let name = PlainName.shown(destination)
        guard let oldest else { return .good("no event waits for \(name)") }
        let age = max(0, now - oldest)
        let text = "the oldest event that waits for \(name) came \(span(age)) ago"
        if age > minutes * 60_000 { return .bad(text) }
        return age > minutes * 48_000 ? .between(text) : .good(text)
    }

    package static func deadLetters(of destination: String, count: Int64, atLeast: Int64) -> AlertReading {
        let text = "\(PlainName.shown(destination)) has \(count) dead letter\(count == 1 ? "" : "s")"
        return count >= atLeast ? .bad(text) : .good(text)
    }

    /// - Parameters:
    ///   - free: bytes.
    ///   - size: bytes; 0 when the system does not say.
    package static func disk(percent: Int64, free: Int64, size: Int64) -> AlertReading {
        guard size > 0 else { return .unknown("the system does not say how much of the disk is free") }
        let share = Double(free) / Double(size) * 100
        let text = "\(Int64(share)) % of the disk are free"
        if share < Double(percent) { return .bad(text) }
        return share < Double(percent) + 1 ? .between(text) : .good(text)
    }

    /// A time in words: "34 minutes".
    package static func span(_ milliseconds: Int64) -> String {
        let minutes = milliseconds / 60_000
        if minutes >= 48 * 60 { return "\(minutes / (24 * 60)) days" }
        if minutes >= 120 { return "\(minutes / 60) hours" }
        return minutes == 1 ? "1 minute" : "\(minutes) minutes"
    }
}
