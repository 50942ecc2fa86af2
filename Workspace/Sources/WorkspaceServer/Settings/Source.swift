import Foundation
import GRDB
import TributaryJSON

/// One place that events come from, and what its clients are told.
struct Source: Sendable, Equatable {
    let id: Int64
    let writeKey: String
    let name: String
    let createdAt: Int64
    let updatedAt: Int64
    /// Grows with every change.
    let revision: Int64
    /// Settings of destinations by their name, as set by the operator.
    let integrations: JSONObject
    /// Routing rules.
    let filters: JSON
    /// The live plugins that devices should run; nil when none were deployed.
    let bundle: BundleVersion?

    static let selection = """
        SELECT source.*, bundle.version, bundle.sha256, bundle.bytes, bundle.deployedAt, bundle.signature
        FROM source LEFT JOIN bundle ON bundle.source = source.id
            AND bundle.version = (SELECT max(version) FROM bundle WHERE bundle.source = source.id)
        """

    init(row: Row) throws {
        id = try row.decode(Int64.self, forColumn: "id")
        writeKey = try row.decode(String.self, forColumn: "writeKey")
        name = try row.decode(String.self, forColumn: "name")
        createdAt = try row.decode(Int64.self, forColumn: "createdAt")
        updatedAt = try row.decode(Int64.self, forColumn: "updatedAt")
        revision = try row.decode(Int64.self, forColumn: "revision")
        let integrations = try JSON.parse([UInt8](try row.decode(Data.self, forColumn: "integrations")))
        self.integrations = integrations.objectValue ?? JSONObject()
        filters = try JSON.parse([UInt8](try row.decode(Data.self, forColumn: "filters")))
        bundle = try BundleVersion(rowOfJoin: row)
    }

    /// The source as the administration shows it.
    var summary: JSON {
        [
            "writeKey": .string(writeKey),
            "name": .string(name),
            "createdAt": .string(ISO8601.string(milliseconds: createdAt)),
            "updatedAt": .string(ISO8601.string(milliseconds: updatedAt)),
            "livePlugins": bundle.flatMap { $0.isOff ? nil : .number(JSONNumber($0.version)) } ?? .null,
            "filters": .number(JSONNumber(filters.elements?.count ?? 0)),
            "integrations": .object(integrations),
        ]
    }
}
