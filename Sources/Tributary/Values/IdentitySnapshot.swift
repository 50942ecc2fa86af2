import TributaryJSON

/// Who the user is, as a log keeps it: with the moment of the change, which tells the newest of several queues.
struct IdentitySnapshot: Sendable, Equatable {
    /// Nil when nobody is to be known any more.
    var info: UserInfo?
    /// Milliseconds since 1970, and more than that of the change before, whatever the clock says. 0 when not known, as in
    /// the files of the first versions.
    var changedAt: Int64

    /// A snapshot that says nothing: beside the inbox, the inbox knows better.
    static let nobody = IdentitySnapshot(nil, changedAt: 0).encoded

    /// Far from where arithmetic ends, and exact in JSON everywhere.
    private static let latest: Int64 = 1 << 53

    init(_ info: UserInfo?, changedAt: Int64) {
        self.info = info
        self.changedAt = min(max(changedAt, 0), Self.latest)
    }

    /// Nil when the bytes say nothing at all.
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
