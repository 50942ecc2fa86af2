import TributaryJSON

/// Keeps events from a destination when the user has not allowed its purposes.
///
/// The decision at the time of delivery counts: a withdrawn consent applies to events that wait. A destination without
/// categories gets all events.
///
/// Unchecked because only the client's executor calls it, except for `configure`, which comes before all other calls.
final class ConsentGate: Plugin, DestinationGate, @unchecked Sendable {
    let type = PluginType.utility
    let name = "Consent"
    weak var analytics: Analytics?

    /// Categories of destinations, as the app configured them.
    private let own: [String: [String]]
    private var settings = Settings()

    init(categories: [String: [String]]) { own = categories }

    func update(settings: Settings) { self.settings = settings }

    func pass(json: JSONObject, destination: String) -> GateDecision {
        guard let preferences = analytics?.writer.record.categories, !preferences.isEmpty else { return .unchanged }
        let categories = Self.categories(of: destination, own: own, settings: settings)
        let refused = categories.first { preferences[$0] != true }
        if let refused { return .dropped(by: "consent: \(refused)", changedBy: []) }
        guard destination == CloudDestination.key, categories.isEmpty else { return .unchanged }
        return isServerOfUse(preferences) ? .unchanged : .dropped(by: "consent: no destination", changedBy: [])
    }

    static func categories(of key: String, own: [String: [String]], settings: Settings) -> [String] {
        if let own = own[key] { return own }
        let named = settings.integrations?[key]?["consentSettings"]?["categories"]?.elements
        return (named ?? []).compactMap(\.stringValue)
    }

    /// Whether the server still needs the event. It does not when the settings give categories to every destination
    /// behind the server and the user allows none of them.
    private func isServerOfUse(_ preferences: [String: Bool]) -> Bool {
        guard settings.consentSettings?["hasUnmappedDestinations"]?.boolValue == false,
            let all = settings.consentSettings?["allCategories"]?.elements
        else { return true }
        return all.compactMap(\.stringValue).contains { preferences[$0] == true }
    }
}
