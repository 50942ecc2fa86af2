import TributaryJSON

/// The consent decision, as it is kept across launches.
struct ConsentRecord: Equatable, Sendable {
    var state: ConsentState
    /// Purposes that the user allowed or refused, by the names that the app or the workspace gave them.
    var categories: [String: Bool] = [:]
    /// Whether the app switched collection off altogether.
    var isEnabled = true

    init(state: ConsentState) { self.state = state }

    init(json: JSON) throws {
        guard let state = json["consent"]?.stringValue.flatMap(ConsentState.init) else {
            throw JSONError(.mismatch, "it does not say what the user decided")
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
        for category in categories.keys.sorted() { object[category] = categories[category].map(JSON.bool) }
        return object
    }
}
