import TributaryJSON

/// The user as a queue of a client knows them.
struct ClientUser {
    let anonymousId: String
    let userId: String?
    /// The time of the change in milliseconds since 1970; it tells which of several queues is right.
    let changedAt: Int64

    /// Nil when the bytes name no user.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes), let anonymousId = json["anonymousId"]?.stringValue else { return nil }
        self.anonymousId = anonymousId
        userId = json["userId"]?.stringValue
        changedAt = Int64(json["changedAt"]?.intValue ?? 0)
    }

    var text: String { (userId.map { "\($0), " } ?? "") + "anonymous id \(anonymousId)" }
}
