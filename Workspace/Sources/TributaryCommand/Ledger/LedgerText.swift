import Foundation
import TributaryJSON

/// The ledger as a table and sentences for a terminal.
struct LedgerText {
    /// The most losses that are named of each version.
    private static let mostLosses = 5

    let text: String

    /// - Parameter answer: that of the workspace.
    init(_ answer: JSON) throws(Failure) {
        let apps = try answer.list("apps")
        let all = JSON.object(try answer.object("all"))
        let days = "\(try answer.text("firstDay")) to \(try answer.text("lastDay"))"
        guard !apps.isEmpty else {
            text = "no device has reported, and no event is stored, from \(days.printable)"
            return
        }
        var lines = [days.printable, ""]
        lines += TextTable.lines(Self.head, apps.map { Self.row(Self.title($0), $0) } + [Self.row("all", all)])
        let losses = apps.flatMap(Self.losses)
        if !losses.isEmpty { lines += [""] + losses }
        lines += [""] + Self.notes(all, answer)
        text = lines.joined(separator: "\n")
    }

    private static let head = [
        "app", "tracked", "delivered", "plugins", "rules", "lost", "refused", "kept back", "waiting", "unknown",
        "not heard of",
        "heard of",
    ]

    private static func row(_ title: String, _ line: JSON) -> [String] {
        let unheard = line["unheard"]?.intValue?.grouped ?? "?"
        return [
            title, count(line, "tracked").grouped, count(line, "delivered").grouped,
            count(line["dropped"], "plugins").grouped, count(line["dropped"], "rules").grouped, lost(line).grouped,
            count(line, "refused").grouped, (count(line, "deleted") + count(line, "notChosen")).grouped,
            signed(count(line, "waiting")), signed(count(line, "unexplained") - count(line, "unbegun")), unheard,
            line["heardShare"]?.doubleValue.map { percent($0) } ?? "-",
        ]
    }

    static func title(_ line: JSON) -> String {
        switch line["kind"]?.stringValue {
        case "none": "(no version)"
        case "unknown": "(not known)"
        case "others": "(others)"
        default: (line["version"]?.stringValue ?? "?").printable
        }
    }

    private static func losses(_ line: JSON) -> [String] {
        let app = title(line)
        let tracked = count(line, "tracked")
        let reasons =
            (line["lost"]?.objectValue ?? JSONObject()).map { ($0, $1.intValue ?? 0) }
            + (count(line, "refused") > 0 ? [("refused by the server", count(line, "refused"))] : [])
        var lines = reasons.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.prefix(mostLosses).map { reason, lost in
            "\(app) loses \(part(lost, of: tracked)) of its events: \(reason.printable)"
        }
        lines += (line["drops"]?.elements ?? []).prefix(mostLosses).map { drop in
            let event = drop["event"]?.stringValue ?? ""
            let name = drop["name"]?.stringValue ?? ""
            return "\(app) loses \(part(count(drop, "dropped"), of: count(drop, "events"))) of "
                + "\(event.isEmpty ? "other events" : event.printable) in \(drop["part"] == "rule" ? "rule" : "plugin") "
                + (name.isEmpty ? "(others)" : name.printable)
        }
        return lines
    }

    private static func notes(_ all: JSON, _ answer: JSON) -> [String] {
        var notes = [
            "\(count(all, "reports").grouped) reports of \(count(all, "devices").grouped) devices; a device is one start of the app"
        ]
        func note(_ name: String, _ text: String, _ json: JSON) {
            let number = count(json, name)
            if number > 0 { notes.append("\(number.grouped) \(text)") }
        }
        if let share = all["heardShare"]?.doubleValue {
            notes.append("reports tell of \(percent(share)) of the stored events; the others are not yet heard of")
        }
        note(
            "claimed", "deliveries are in reports and not in the store: deleted since, or claimed by invented reports",
            all)
        note("unexplained", "tracked events have no known end", all)
        note("unbegun", "ends have no known beginning, as after an app that was killed", all)
        note("missing", "reports are missing between others", all)
        note("late", "reports are about more than two days", all)
        note("partial", "reports are of earlier clients, which say less", all)
        note("mayLack", "stored events at most are missing in the figure of a version", answer)
        if let since = answer["cover"]?["since"]?.stringValue {
            notes.append("this node has all reports since \(since.printable), and may lack earlier ones")
        }
        if answer["cover"]?["isCurrent"] == false {
            notes.append("the newest reports may be missing: the log is behind or away")
        }
        return notes
    }

    private static func lost(_ line: JSON) -> Int {
        (line["lost"]?.objectValue ?? JSONObject()).reduce(0) { $0 + ($1.value.intValue ?? 0) }
    }

    private static func count(_ json: JSON?, _ name: String) -> Int { json?[name]?.intValue ?? 0 }

    private static func signed(_ number: Int) -> String { number > 0 ? "+\(number.grouped)" : number.grouped }

    /// "1.3 % (13 of 1,000)"; only the number when reports tell of fewer events.
    private static func part(_ part: Int, of whole: Int) -> String {
        guard whole >= part, whole > 0 else { return part.grouped }
        return "\(percent(Double(part) / Double(whole))) (\(part.grouped) of \(whole.grouped))"
    }

    /// With two digits that count, so that a small share is not 0.
    private static func percent(_ share: Double) -> String {
        let percent = share * 100
        return "\(String(format: percent >= 10 || percent == 0 ? "%.0f" : percent >= 1 ? "%.1f" : "%.2g", percent)) %"
    }
}
