import TributaryJSON

/// The tracking plan of the settings, for track events and destinations on the device.
///
/// `plan.track` has a rule for each event by its name; `__default` applies to all others. The server gets every event,
/// because it has the plan itself.
struct TrackingPlan {
    private struct Rule {
        let isEnabled: Bool
        let integrations: JSONObject

        init(_ json: JSON) {
            isEnabled = json["enabled"]?.boolValue ?? true
            integrations = json["integrations"]?.objectValue ?? [:]
        }
    }

    private let rules: [String: Rule]
    private let isEnabledByDefault: Bool

    /// - Returns: nil when the plan changes nothing.
    init?(_ plan: JSON?) {
        guard let track = plan?["track"]?.objectValue, !track.isEmpty else { return nil }
        var rules: [String: Rule] = [:]
        for (name, rule) in track where rule.objectValue != nil { rules[name] = Rule(rule) }
        isEnabledByDefault = rules.removeValue(forKey: "__default")?.isEnabled ?? true
        self.rules = rules
        if rules.isEmpty, isEnabledByDefault { return nil }
    }

    /// Whether the plan allows the destination to get events of that name.
    func allows(_ event: String, _ key: String) -> Bool {
        guard let rule = rules[event] else { return isEnabledByDefault }
        return rule.isEnabled && rule.integrations.allows(key)
    }
}
