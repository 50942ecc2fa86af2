import TributaryJSON

/// What an operator demands of a source: how much may come, what becomes of addresses, which signals devices make.
struct SourcePolicy: Sendable, Equatable {
    var quota = Quota()
    var address = AddressPolicy.asSent
    var signals = SignalSwitches()

    static let none = SourcePolicy()

    init() {}

    /// Reads all of it; what is missing has its default.
    init(_ json: JSON) throws(APIError) {
        self = try SourcePolicy.none.changed(by: json)
    }

    /// The policy with the members that are named; null gives a member its default back.
    func changed(by json: JSON) throws(APIError) -> SourcePolicy {
        guard let members = json.objectValue else { throw .badRequest("a policy is an object") }
        var policy = self
        for (name, value) in members {
            switch name {
            case "quota": policy.quota = value.isNull ? Quota() : try Quota(value)
            case "ip": policy.address = value.isNull ? .asSent : try AddressPolicy(value)
            case "signals": policy.signals = value.isNull ? SignalSwitches() : try SignalSwitches(value)
            default: throw .badRequest("a policy has quota, ip and signals; \(name) means nothing here")
            }
        }
        return policy
    }

    var json: JSON { ["quota": quota.json, "ip": .string(address.rawValue), "signals": signals.json] }
}
