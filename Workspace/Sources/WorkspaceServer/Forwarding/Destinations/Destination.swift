import Foundation
package import GRDB
import TributaryJSON
import WorkspaceCore

/// A destination of forwarding: its settings and its name.
package struct Destination: Sendable, Equatable, FetchableRecord {
    let id: Int64
    let source: Int64
    /// The name that filters and the `integrations` of events use.
    let name: String
    let kind: DestinationKind
    let settings: JSONObject
    /// The consent categories that the destination needs, all of them; empty when it gets events whatever a user decided.
    let categories: [String]
    let secrets: DestinationSecrets
    let isEnabled: Bool
    /// The number of the last event that came before it; nil where no one noted it.
    let beginsAfter: Int64?
    let createdAt: Int64
    let updatedAt: Int64
    /// Grows with every change, so that its forwarder notices changes.
    let revision: Int64
    /// How the events are divided while a roll-out of its function is open.
    let split: FunctionRollout.Split?

    package init(row: Row) throws {
        id = try row.decode(forColumn: "id")
        source = try row.decode(forColumn: "source")
        name = try row.decode(forColumn: "name")
        kind = DestinationKind(stored: try row.decode(forColumn: "kind"))
        settings = try row.json("settings").objectValue ?? [:]
        categories =
            try JSON.parse(try row.decode(String.self, forColumn: "categories")).elements?.compactMap(\.stringValue)
            ?? []
        secrets = try DestinationSecrets(row: row)
        let beginsAfter = try row.decode(Int64.self, forColumn: "beginsAfter")
        self.beginsAfter = beginsAfter < 0 ? nil : beginsAfter
        isEnabled = try row.decode(forColumn: "isEnabled")
        createdAt = try row.decode(forColumn: "createdAt")
        updatedAt = try row.decode(forColumn: "updatedAt")
        revision = try row.decode(forColumn: "revision")
        split = try FunctionRollout(row)?.split
    }

    /// The fault of the stored settings, which a version with fewer checks may have stored; nil when they can be used.
    var fault: String? {
        do throws(Refusal) {
            _ = try kind.checked(settings)
            if kind == .function { _ = try FunctionSettings(settings).hosts }
            return nil
        } catch {
            return error.message
        }
    }

    /// The owner of the versions of its function.
    var functionOwner: FunctionVersion.Owner { .destination(id, of: source) }

    /// The rule that names follow, for people who broke it.
    static let nameRule = """
        a destination's name has 1 to \(Limits.destinationNameLength) characters, no slash, \(PlainName.rule), is not made of \
        points alone, and is not \(Source.cloudName), which is this server
        """

    static func isValid(name: String) -> Bool {
        (1...Limits.destinationNameLength).contains(name.count) && name != Source.cloudName
            && !name.allSatisfy { $0 == "." }
            && !name.unicodeScalars.contains("/") && PlainName.isPlain(name)
    }

    /// The destination as the administration shows it, without secrets.
    ///
    /// Own headers often hold a token of the receiver, and code may. So only a role that may change the destination sees
    /// them. A function shows the names of the secrets that it has.
    func summary(for role: Role) -> JSONObject {
        var settings = settings
        if role < .administer, let headers = settings["headers"]?.objectValue {
            settings["headers"] = .object(JSONObject(Dictionary(uniqueKeysWithValues: headers.map { ($0.key, "…") })))
        }
        if role < .administer, settings["code"] != nil { settings["code"] = "…" }
        var summary: JSONObject = [
            "name": .string(name), "kind": .string(kind.name), "enabled": .bool(isEnabled),
            "settings": .object(settings), "categories": .strings(categories), "createdAt": .time(createdAt),
            "updatedAt": .time(updatedAt),
        ]
        if kind == .function { summary["secrets"] = .strings(FunctionSecrets(stored: secrets.current).names) }
        return summary
    }
}
