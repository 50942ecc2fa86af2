/// The message of a program that waits: the reason, the time so far, and how to stop it.
///
/// A terminal gets a line after a second, which redraws itself. A file or a pipe gets a line when something is in the way, or
/// when the wait is long, and then one each minute.
package struct WaitingNotice {
    /// Where the text goes.
    package enum Output { case terminal, log }

    /// The reason for the wait.
    package enum Wait: Equatable {
        /// An answer or a step that is on its way.
        case ordinary(String)
        /// Something is in the way, and the command tries again.
        case obstacle(String)

        var text: String {
            switch self {
            case .ordinary(let text), .obstacle(let text): text
            }
        }
    }

    /// Milliseconds until a terminal gets its line, and a log the one about an obstacle.
    package static let patience: Int64 = 1_000
    /// Milliseconds until a log gets a line about an ordinary wait.
    package static let logPatience: Int64 = 10_000
    /// Milliseconds between two lines of a log.
    package static let logPause: Int64 = 60_000
    private static let barWidth = 30

    package let output: Output
    /// How to end the command.
    package var stop = "control-C stops it"
    private var wait: (what: Wait, since: Int64)?
    private var work: (text: String, share: Double?, since: Int64)?
    private var said: (at: Int64, wait: Wait?)?

    package init(_ output: Output) { self.output = output }

    /// The command waits from now on. The time of a wait that goes on for the same thing is kept.
    package mutating func begin(_ what: Wait, at now: Int64) {
        if case .obstacle = what, case .obstacle = wait?.what {
            wait?.what = what
        } else if wait?.what != what {
            wait = (what, now)
        }
    }

    /// The wait is over; the work that it is part of goes on.
    package mutating func end() { wait = nil }

    /// How far the whole work is.
    /// - Parameter share: from 0 to 1, where that is known.
    package mutating func work(_ text: String, share: Double?, at now: Int64) {
        work = (text, share, work?.since ?? now)
    }

    /// Nothing is done any more.
    package mutating func finish() { (wait, work) = (nil, nil) }

    /// The line to write now; nil when there is nothing to say.
    package mutating func line(at now: Int64) -> String? {
        guard let since = [wait?.since, work?.since].compactMap({ $0 }).min() else { return nil }
        switch output {
        case .terminal: return now - since >= Self.patience ? bar + text(at: now) : nil
        case .log:
            guard isDue(since, now) else { return nil }
            said = (now, wait?.what)
            return text(at: now)
        }
    }

    private func isDue(_ since: Int64, _ now: Int64) -> Bool {
        guard case .obstacle = wait?.what, let begun = wait?.since else {
            return now - since >= Self.logPatience && now - (said?.at ?? .min / 2) >= Self.logPause
        }
        let isNew = said?.wait != wait?.what
        return now - begun >= Self.patience && now - (said?.at ?? .min / 2) >= (isNew ? Self.patience : Self.logPause)
    }

    private var bar: String {
        guard let share = work?.share else { return "" }
        let filled = Int(min(max(share, 0), 1) * Double(Self.barWidth))
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: Self.barWidth - filled)
            + "] \(Int(share * 100)) %  "
    }

    private func text(at now: Int64) -> String {
        var parts: [String] = []
        if let work { parts.append(work.text) }
        if output == .log, let share = work?.share { parts.append("\(Int(share * 100)) % are done") }
        if let wait, now - wait.since >= Self.patience || work == nil {
            parts.append("waiting \(Self.time(now - wait.since)) for \(wait.what.text)")
        } else if let work {
            parts.append("since \(Self.time(now - work.since))")
        }
        return (parts + [stop]).joined(separator: "; ")
    }

    private static func time(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1_000
        switch seconds {
        case ..<120: return "\(seconds) s"
        case ..<7_200: return "\(seconds / 60) minutes"
        default: return "\(seconds / 3_600) hours"
        }
    }
}
