import TributaryJSON

/// The consent decision, as the client stores it.
struct ConsentRecord: Equatable, Sendable {
    var state: ConsentState
    /// Purposes that the user allowed or refused, by the names that the app or the workspace gave them.
    var categories: [String: Bool] = [:]
    /// Whether collection is on; the app may switch it off with `Analytics.enabled`.
    var isEnabled = true

    init(state: ConsentState) { self.state = state }

    init(json: JSON) throws {
        guard let state = json["consent"]?.stringValue.flatMap(ConsentState.init) else {
            throw JSONError(.mismatch, "the consent file has no decision")
        }
        self.state = state
        isEnabled = json["enabled"]?.boolValue ?? true
        for (category, value) in json["categories"]?.objectValue ?? [:] { categories[category] = value.boolValue }
    }

    var json: JSON {
        [
            "consent": .string(state.rawValue), "enabled": .bool(isEnabled),
            "categories": .object(preferences),
        ]
    }

    /// The categories in the order of their names.
    var preferences: JSONObject {
        var object = JSONObject()
        for (category, isGranted) in categories.byKey() { object[category] = .bool(isGranted) }
        return object
    }
}
