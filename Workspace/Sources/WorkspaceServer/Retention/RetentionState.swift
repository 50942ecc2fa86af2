import TributaryJSON
import WorkspaceCore

/// The retention by which days are deleted, and a shorter one that waits.
///
/// A shorter retention deletes days that were kept until then, and a server that starts can ask no person. So the shorter one
/// comes into effect later, and the operator who did not mean it can go back.
package struct RetentionState: Sendable, Equatable {
    package struct Shorter: Sendable, Equatable {
        let retention: Retention
        /// The day on which it comes into effect.
        let from: Day
    }

    var inEffect: Retention
    var shorter: Shorter?

    init(_ inEffect: Retention, shorter: Shorter? = nil) { (self.inEffect, self.shorter) = (inEffect, shorter) }

    /// The state after a look at the days.
    /// - Parameters:
    ///   - wanted: the retention of the configuration.
    ///   - isConfirmed: whether the operator says that days may go at once.
    ///   - days: the days that are there.
    func next(_ wanted: Retention, isConfirmed: Bool, days: [Day], today: Day) -> RetentionState {
        guard !isConfirmed, wanted.isShorter(than: inEffect) else { return RetentionState(wanted) }
        let (kept, first) = (inEffect.firstKept(today), wanted.firstKept(today) ?? today)
        guard days.contains(where: { $0 < first && $0 >= kept ?? $0 }) else { return RetentionState(wanted) }
        guard let shorter, shorter.retention == wanted else {
            let from = today.advanced(by: Limits.retentionGraceDays)
            return RetentionState(inEffect, shorter: Shorter(retention: wanted, from: from))
        }
        return today < shorter.from ? self : RetentionState(wanted)
    }

    /// The days that the shorter retention deletes and the current retention keeps, oldest first.
    func endangered(_ days: [Day], today: Day) -> [Day] {
        guard let shorter else { return [] }
        let then = max(today, shorter.from)
        guard let first = shorter.retention.firstKept(then) else { return [] }
        let kept = inEffect.firstKept(then)
        return days.filter { $0 < first && $0 >= kept ?? $0 }.sorted()
    }

    /// The state when the last version of the workspace noted none: it keeps the days that the last look kept.
    static func first(_ wanted: Retention, before: Day?, days: [Day]) -> RetentionState {
        guard let before, let first = wanted.firstKept(before), let oldest = days.min(), oldest < first else {
            return RetentionState(wanted)
        }
        return RetentionState(Retention(days: Int(before.number - oldest.number)))
    }
}

extension RetentionState {
    init?(_ json: JSON) {
        guard let inEffect = Retention(json["days"]) else { return nil }
        self.init(inEffect)
        guard let from = json["from"]?.intValue, let shorter = Retention(json["shorter"]) else { return }
        self.shorter = Shorter(retention: shorter, from: Day(number: Int64(from)))
    }

    var json: JSON {
        var json: JSON = ["days": inEffect.json]
        if let shorter {
            json["shorter"] = shorter.retention.json
            json["from"] = .number(shorter.from.number)
        }
        return json
    }
}

extension Retention {
    func isShorter(than other: Retention) -> Bool { days ?? .max < other.days ?? .max }

    /// Nil for a value that is no number of days; 0 keeps all.
    fileprivate init?(_ json: JSON?) {
        guard let days = json?.intValue else { return nil }
        self.init(days: days == 0 ? nil : days)
    }

    fileprivate var json: JSON { .number(days ?? 0) }
}
