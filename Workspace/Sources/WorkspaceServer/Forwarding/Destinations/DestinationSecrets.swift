import Foundation
import GRDB
import WorkspaceCore

/// The secrets that sign requests to a destination. They are stored unchanged, because they have to sign.
struct DestinationSecrets: Sendable, Equatable {
    let current: [UInt8]
    /// The secret before, which signs too for a while, so that receivers can be changed one after the other.
    var previous: [UInt8]?
    var changedAt: Int64 = 0

    var previousValidUntil: Int64 { changedAt + Limits.secretOverlapMilliseconds }

    /// The secrets that sign at that time, the newest first.
    func valid(at now: Int64) -> [[UInt8]] {
        guard let previous, now < previousValidUntil else { return [current] }
        return [current, previous]
    }

    /// The secret as text, with the prefix of the Standard Webhooks.
    static func text(_ secret: [UInt8]) -> String { "whsec_" + Data(secret).base64EncodedString() }
}

extension DestinationSecrets {
    init(row: Row) throws {
        self.init(
            current: [UInt8](try row.decode(Data.self, forColumn: "secret")),
            previous: try row.decode(Data?.self, forColumn: "previousSecret").map { [UInt8]($0) },
            changedAt: try row.decode(forColumn: "secretChangedAt"))
    }
}
