import ArgumentParser
import Foundation
import TributaryJSON

/// Shows the nodes and the partitions of a cluster.
struct ClusterStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the nodes of a cluster, and how far each partition of its log is stored.",
        discussion: """
            The exit status is 1 when an operator has to act: a partition has no owner that answers, a log lost \
            records, a newer version changed the settings and a node is not upgraded, or the node that answered does \
            not follow the settings. The last lines and the page name the problem.
            """)

    @OptionGroup var options: ServerOptions

    @Flag(help: "Write the answer as JSON.")
    var json = false

    func run() async throws {
        let answer = try await AdministrationClient(options).get("api/cluster")
        let (nodes, partitions) = (try answer.list("nodes"), try answer.list("partitions"))
        let problems = try answer.list("problems")
        if json {
            print(answer)
        } else if partitions.isEmpty {
            print("this workspace is one machine")
        } else {
            for line in Self.lines(nodes, partitions) { print(line) }
            if let line = Self.line(settings: answer["settings"]) { print("\n\(line)") }
            print()
            for line in Self.lines(problems: problems) { print(line) }
        }
        // The server decides what needs attention.
        if !problems.isEmpty { throw ExitCode(1) }
    }

    static func lines(problems: [JSON]) -> [String] {
        guard !problems.isEmpty else { return ["nothing needs attention"] }
        return ["needs attention:"] + problems.map { "- \($0.stringValue?.printable ?? "-")" }
    }

    static func line(settings: JSON?) -> String? {
        guard let state = settings?["state"]?.stringValue else { return nil }
        let reason = settings?["reason"]?.stringValue.map { ": \($0.printable)" } ?? ""
        let key =
            if settings?["usesNewKey"]?.boolValue == false {
                "; they are sealed with the old key until all nodes have the new one"
            } else if settings?["needsOldKey"]?.boolValue == true {
                "; the log has changes of an old key"
            } else { "" }
        return
            "settings of the node that answered: \(state), \(settings?["applied"]?.intValue ?? 0) changes\(reason)\(key)"
    }

    static func lines(_ nodes: [JSON], _ partitions: [JSON]) -> [String] {
        func text(_ json: JSON, _ name: String) -> String {
            json[name]?.stringValue?.printable ?? json[name]?.intValue.map(\.grouped) ?? "-"
        }
        let ofNodes = nodes.map { node in
            [
                text(node, "name") + (node["isCoordinator"]?.boolValue == true ? " (coordinator)" : ""),
                text(node, "version") + (node["isOutdated"]?.boolValue == true ? " (upgrade it)" : ""),
                text(node, "partitions"), text(node, "takeovers"), text(node, "repeated"), text(node, "alarms"),
            ]
        }
        let ofPartitions = partitions.map { partition in
            [
                text(partition, "partition"),
                text(partition, "owner") + (partition["answers"]?.boolValue == true ? "" : " (does not answer)"),
                text(partition, "stored"), text(partition, "waiting"),
            ]
        }
        let columns = ["node", "version", "partitions", "takeovers", "repeated", "alarms"]
        return TextTable.lines(columns, ofNodes, texts: 2) + [""]
            + TextTable.lines(["partition", "owner", "stored records", "waiting"], ofPartitions, texts: 2)
    }
}
