import Crypto
import Foundation
import TributaryJSON
import WorkspaceCore

/// Says which rows of which tables an event is.
///
/// A track is a row of `tracks` and, with its properties, of the table of its name. Every other type has one table. A
/// name that two members of an event would share belongs to the first of them: what every row has, then the context,
/// then the properties or traits. The other goes into the column `_extra`, as does a member without a name, so nothing is lost.
struct WarehouseLayout {
    private var names = WarehouseNames()

    /// - Parameters:
    ///   - event: as a destination gets it.
    ///   - hasTable: whether there is, or may be, a table for a name of events.
    mutating func rows(_ event: JSON, hasTable: (String) -> Bool) -> [WarehouseRow] {
        guard let type = event["type"]?.stringValue else { return [] }
        switch type {
        case "track": return track(event, hasTable)
        case "identify": return [identify(event)]
        case "page", "screen":
            var row = row(event, type == "page" ? WarehouseTable.pages : WarehouseTable.screens)
            add("name", event["name"], to: &row)
            add("category", event["category"] ?? event["properties"]?["category"], to: &row)
            addMembers(of: event["properties"], at: ["properties"], "", to: &row)
            return [row]
        case "group":
            var row = row(event, WarehouseTable.groups)
            add("group_id", event["groupId"], to: &row)
            addMembers(of: event["traits"], at: ["traits"], "", to: &row)
            return [row]
        case "alias":
            var row = row(event, WarehouseTable.aliases)
            add("previous_id", event["previousId"], to: &row)
            addMembers(of: event["traits"], at: ["traits"], "", to: &row)
            return [row]
        default: return []
        }
    }

    private mutating func track(_ event: JSON, _ hasTable: (String) -> Bool) -> [WarehouseRow] {
        var row = row(event, WarehouseTable.tracks)
        let name = event["event"]?.stringValue ?? ""
        let table = names.table(name)
        if let table {
            add("event", .string(table), to: &row)
            add("event_text", .string(name), to: &row)
        }
        let properties = event["properties"]
        guard let table, hasTable(table) else {
            if let properties, properties.objectValue?.isEmpty == false { row.extra["properties"] = properties }
            return [row]
        }
        var own = WarehouseRow(table: table)
        (own.fixed, own.fields, own.extra) = (row.fixed, row.fields, row.extra)
        addMembers(of: properties, at: ["properties"], "", to: &own)
        return [row, own]
    }

    /// Libraries write the traits of a user beside the context or into it.
    private mutating func identify(_ event: JSON) -> WarehouseRow {
        var row = row(event, WarehouseTable.identifies, withoutTraits: true)
        let isBeside = event["traits"]?.objectValue?.isEmpty == false
        let path = isBeside ? ["traits"] : ["context", "traits"]
        addMembers(of: isBeside ? event["traits"] : event["context"]?["traits"], at: path, "", to: &row)
        return row
    }

    /// The row with what all events have.
    private mutating func row(_ event: JSON, _ table: String, withoutTraits: Bool = false) -> WarehouseRow {
        var row = WarehouseRow(table: table)
        add("id", event["messageId"].flatMap { $0.stringValue.map { .string(Self.key($0)) } }, to: &row)
        add("anonymous_id", event["anonymousId"], to: &row)
        add("user_id", event["userId"], to: &row)
        for (column, member) in Self.times {
            guard let time = event[member], !time.isNull else { continue }
            if let value = WarehouseValue(time), value.kind == .time || value.kind == .farTime {
                row.fixed.append((column, value))
            } else {
                row.extra[member] = time
            }
        }
        var context = event["context"]
        if withoutTraits { context?["traits"] = nil }
        addMembers(of: context, at: ["context"], "context", to: &row)
        return row
    }

    private static let times = [
        ("received_at", "receivedAt"), ("sent_at", "sentAt"), ("original_timestamp", "originalTimestamp"),
        ("timestamp", "timestamp"),
    ]

    /// Such a column is a text, whatever the event says.
    private func add(_ column: String, _ json: JSON?, to row: inout WarehouseRow) {
        guard let json, let value = WarehouseValue(json) else { return }
        row.fixed.append((column, WarehouseValue(kind: .text, text: value.text)))
    }

    private mutating func addMembers(
        of json: JSON?, at path: [String], _ prefix: String, to row: inout WarehouseRow
    ) {
        guard let json else { return }
        guard let object = json.objectValue else {
            if !json.isNull { row.extra.put(json, at: path[...]) }
            return
        }
        for (key, value) in object {
            let part = names.part(key)
            let joined = prefix.isEmpty || part.isEmpty ? prefix + part : "\(prefix)_\(part)"
            if case .object(let inner) = value, !inner.isEmpty, path.count < Limits.warehouseDepth, !part.isEmpty {
                addMembers(of: value, at: path + [key], joined, to: &row)
            } else {
                let column = part.isEmpty ? nil : names.finish(joined)
                row.fields.append(.init(column: column, path: path + [key], json: value))
            }
        }
    }

    /// An index has no room for very long ids.
    static func key(_ id: String) -> String {
        guard id.utf8.count > Limits.warehouseKeyBytes else { return id }
        return "sha256:" + SHA256.hash(data: Data(id.utf8)).map { String(format: "%02x", $0) }.joined()
    }
}
