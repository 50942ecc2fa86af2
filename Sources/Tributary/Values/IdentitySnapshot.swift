import TributaryJSON

/// The identity of the user as a log stores it, with the time of the change, which shows the newest of several queues.
struct IdentitySnapshot: Sendable, Equatable {
    /// The identity; nil when the user must not be known any more.
    var info: UserInfo?
    /// The time of the change in milliseconds since 1970. It is higher than that of the change before, whatever the
    /// clock says. 0 when unknown, as in files of the first versions.
    var changedAt: Int64

    /// A snapshot without an identity. The identity is then in the inbox.
    static let nobody = IdentitySnapshot(nil, changedAt: 0).encoded

    /// Far from an overflow, and exact in JSON everywhere.
    private static let latest: Int64 = 1 << 53

    init(_ info: UserInfo?, changedAt: Int64) {
        self.info = info
        self.changedAt = min(max(changedAt, 0), Self.latest)
    }

    /// Nil when the bytes are not a snapshot.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes, limits: JSONLimits(depth: Limits.identityDepth)),
            json.objectValue != nil
        else { return nil }
        let info = json["anonymousId"]?.stringValue.map { anonymousId in
            UserInfo(
                anonymousId: anonymousId, userId: json["userId"]?.stringValue, traits: json["traits"] ?? [:],
                referrer: json["referrer"]?.stringValue)
        }
        self.init(info, changedAt: json["changedAt"]?.numberValue?.int64 ?? 0)
    }

    var encoded: [UInt8] {
        var object = JSONObject()
        if let info {
            object["anonymousId"] = .string(info.anonymousId)
            object["traits"] = info.traits
            if let userId = info.userId { object["userId"] = .string(userId) }
            if let referrer = info.referrerText { object["referrer"] = .string(referrer) }
        }
        if changedAt > 0 { object["changedAt"] = .number(JSONNumber(changedAt)) }
        return JSON.object(object).encoded()
    }
}
