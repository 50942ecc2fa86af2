import Foundation
import TributaryJSON

/// The health of live plugins as a table for a terminal.
struct HealthTable {
    let text: String

    /// - Parameter answer: that of the workspace.
    init(_ answer: JSON) throws(Failure) {
        var lines: [String] = []
        let versions = try answer.list("versions")
        if versions.isEmpty { lines.append("no device has reported") }
        for version in versions {
            if !lines.isEmpty { lines.append("") }
            lines += Self.lines(version)
        }
        let destinations = try answer.list("destinations")
        if !destinations.isEmpty {
            let rows = destinations.map { Self.row($0, ["delivered", "filtered", "dropped", "lost", "stuck"]) }
            lines += [""] + TextTable.lines(["destination", "delivered", "filtered", "dropped", "lost", "stuck"], rows)
        }
        if let rollout = answer["rollout"], !rollout.isNull {
            lines += ["", "roll-out: " + (try PluginRollout.text(answer))]
        }
        text = lines.joined(separator: "\n")
    }

    private static func lines(_ version: JSON) -> [String] {
        let (events, faulty, dropped) = (count(version, "events"), count(version, "faulty"), count(version, "dropped"))
        let time = events > 0 ? Double(count(version, "microseconds")) / Double(events) / 1000 : 0
        let share = version["percentage"]?.intValue.map { " (\($0) % of devices)" } ?? ""
        let name = (version["version"]?.stringValue ?? "?").printable
        var lines = [
            "version \(name)\(share): \(events.grouped) events, \(rate(faulty, events)) with a fault, "
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

    private static func line(_ fault: JSON) -> String {
        func text(_ name: String) -> String? { fault[name]?.stringValue?.printable }
        let place = text("file").map { file in fault["line"]?.intValue.map { "\(file):\($0)" } ?? file }
        let event = text("event").map { " at \"\($0)\"" } ?? ""
        return "fault in \(count(fault, "reports").grouped) reports: \(text("plugin") ?? "?")"
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
