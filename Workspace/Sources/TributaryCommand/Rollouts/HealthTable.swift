import Foundation
import TributaryJSON

/// The health of live plugins or filters as a table for a terminal.
struct HealthTable {
    let text: String

    /// - Parameter answer: that of the workspace.
    init(_ answer: JSON, of kind: any Deployed.Type) throws(Failure) {
        var lines: [String] = []
        let versions = try answer.list(kind.health.versions)
        if versions.isEmpty { lines.append("no device has reported") }
        for version in versions {
            if !lines.isEmpty { lines.append("") }
            lines += kind == DeployedFilters.self ? Self.ruleLines(version) : Self.lines(version)
        }
        if kind == DeployedPlugins.self {
            for shadow in answer["shadows"]?.elements ?? [] { lines += [""] + Self.shadowLines(shadow) }
        }
        let destinations = try answer.list("destinations")
        if !destinations.isEmpty {
            let rows = destinations.map { Self.row($0, ["delivered", "filtered", "dropped", "lost", "stuck"]) }
            lines += [""] + TextTable.lines(["destination", "delivered", "filtered", "dropped", "lost", "stuck"], rows)
        }
        if let delivery = answer["delivery"], Self.count(delivery, "reports") > 0 {
            lines += ["", Self.deliveryLine(delivery)]
        }
        if let rollout = answer[kind.health.rollout], !rollout.isNull {
            lines += ["", "roll-out: " + (try RolloutText(rollout).text)]
        }
        if kind == DeployedPlugins.self { lines += Self.appLines(answer["apps"]) }
        lines += Self.coverLines(answer["cover"])
        text = lines.joined(separator: "\n")
    }

    /// The permissions of scripts in each version of the app.
    private static func appLines(_ apps: JSON?) -> [String] {
        guard let apps, let versions = apps["versions"]?.elements, !versions.isEmpty else { return [] }
        let all = count(apps, "devices")
        let rows = versions.map { version in
            [
                version["version"]?.stringValue?.printable ?? "(none)", allowed(version),
                count(version, "devices").grouped, RestrictionText.share(count(version, "devices"), of: all),
            ]
        }
        return [""] + TextTable.lines(["app", "scripts may", "devices", "share"], rows, texts: 2)
    }

    private static func allowed(_ version: JSON) -> String {
        guard let allows = version["allows"]?.elements else { return "do everything" }
        let texts = allows.compactMap(\.stringValue).map(\.printable) + (version["isCut"] == true ? ["…"] : [])
        return texts.isEmpty ? "do nothing" : texts.joined(separator: ", ")
    }

    /// Notes about reports that a node of a cluster may lack.
    private static func coverLines(_ cover: JSON?) -> [String] {
        var lines: [String] = []
        if let since = cover?["since"]?.stringValue {
            lines += ["", "this node has all reports since \(since.printable), and may lack earlier ones"]
        }
        if cover?["isCurrent"] == false {
            lines += ["", "the newest reports may be missing: the log is behind or away"]
        }
        return lines
    }

    /// How many events wait is no sum but a state, so its mean is shown.
    private static func deliveryLine(_ delivery: JSON) -> String {
        let lost = (delivery["lost"]?.objectValue ?? JSONObject()).map { reason, count in
            "\(reason.printable) \((count.intValue ?? 0).grouped)"
        }
        let waiting = Double(count(delivery, "waiting")) / Double(max(1, count(delivery, "reports")))
        return
            "delivery: \(count(delivery, "tracked").grouped) events tracked, \(count(delivery, "uploaded").grouped) sent, "
            + "\(count(delivery, "deadLettered").grouped) refused for good, lost: "
            + (lost.isEmpty ? "none" : lost.sorted().joined(separator: ", "))
            + "; \(String(format: "%.1f", waiting)) wait on a device"
    }

    private static func lines(_ version: JSON) -> [String] {
        let (events, faulty, dropped) = (count(version, "events"), count(version, "faulty"), count(version, "dropped"))
        let time = events > 0 ? Double(count(version, "microseconds")) / Double(events) / 1000 : 0
        var lines = [
            "\(title(version)): \(events.grouped) events, \(rate(faulty, events)) with a fault, "
                + "\(rate(dropped, events)) dropped, \(String(format: "%.2f", time)) ms an event, "
                + "\(count(version, "reports").grouped) reports"
        ]
        let incidents = (version["incidents"]?.objectValue ?? JSONObject()).map { name, count in
            "\(name.printable) \(count.intValue ?? 0)"
        }
        if !incidents.isEmpty { lines.append("  incidents: " + incidents.sorted().joined(separator: ", ")) }
        let plugins = version["plugins"]?.elements ?? []
        let names = ["seen", "changed", "dropped", "faults", "breaches"]
        if !plugins.isEmpty {
            lines += TextTable.lines(["plugin"] + names, plugins.map { row($0, names) }).map { "  " + $0 }
        }
        for fault in version["faults"]?.elements ?? [] { lines.append("  " + line(fault)) }
        return lines
    }

    /// A version that runs beside the version before.
    private static func shadowLines(_ shadow: JSON) -> [String] {
        let events = count(shadow, "events")
        let differences = shadow["differences"]?.elements ?? []
        let rows = differences.map { difference in
            [
                (difference["difference"]?.stringValue ?? "?").printable, count(difference, "events").grouped,
                rate(count(difference, "events"), events),
                difference["isAnnounced"] == true ? "announced" : "not announced",
            ]
        }
        let table = TextTable.lines(["difference", "events", "share", ""], rows)
        return ["as a shadow, " + lines(shadow)[0]] + lines(shadow).dropFirst()
            + (rows.isEmpty ? ["  no event differs"] : table.map { "  " + $0 })
    }

    /// A version of the filters.
    private static func ruleLines(_ version: JSON) -> [String] {
        let (events, dropped) = (count(version, "events"), count(version, "dropped"))
        var lines = [
            "\(title(version)): \(events.grouped) events for destinations, \(rate(dropped, events)) dropped, "
                + "\(rate(count(version, "faulty"), events)) with a fault, \(count(version, "reports").grouped) reports"
        ]
        let problems = count(version, "problems")
        if problems > 0 { lines.append("  devices reported \(problems.grouped) times a rule that they cannot read") }
        let destinations = version["destinations"]?.elements ?? []
        let names = ["events", "changed", "dropped", "faulty"]
        if !destinations.isEmpty {
            let rows = destinations.map { row($0, names) + [rate(count($0, "dropped"), count($0, "events"))] }
            lines += TextTable.lines(["destination"] + names + ["dropped"], rows).map { "  " + $0 }
        }
        for fault in version["faults"]?.elements ?? [] { lines.append("  " + line(fault)) }
        return lines
    }

    private static func title(_ version: JSON) -> String {
        let share = version["percentage"]?.intValue.map { " (\($0) % of devices)" } ?? ""
        return "version \((version["version"]?.stringValue ?? "?").printable)\(share)"
    }

    private static func line(_ fault: JSON) -> String {
        func text(_ name: String) -> String? { fault[name]?.stringValue?.printable }
        let place = text("file").map { file in fault["line"]?.intValue.map { "\(file):\($0)" } ?? file }
        let event = text("event").map { " at \"\($0)\"" } ?? ""
        return "fault in \(count(fault, "reports").grouped) reports: \(text("plugin") ?? text("destination") ?? "?")"
            + (place.map { ", \($0)" } ?? "") + "\(event): \(text("message") ?? "?")"
    }

    private static func row(_ part: JSON, _ names: [String]) -> [String] {
        let name = (part["name"]?.stringValue ?? "").printable
        return [name.isEmpty ? "(others)" : name] + names.map { count(part, $0).grouped }
    }

    private static func count(_ json: JSON, _ name: String) -> Int { json[name]?.intValue ?? 0 }

    private static func rate(_ part: Int, _ whole: Int) -> String {
        whole > 0 ? String(format: "%.2f %%", Double(part) * 100 / Double(whole)) : "0 %"
    }
}
