import TributaryJSON

/// The form in which events and tracking plans select destinations: keys of destinations, and `All` for the others,
/// with a boolean or an object of options as value. Options mean yes. A key may contain dots.
extension JSONObject {
    /// The choice for a destination; nil when the destination is not named.
    func choice(of key: String) -> Bool? {
        guard let value = self[key], !value.isNull else { return nil }
        switch value {
        case .bool(let isChosen): return isChosen
        case .number: return value.doubleValue != 0
        default: return true
        }
    }

    /// Whether the destination may get the event: by its own key, else by `All`, else yes.
    func allows(_ key: String) -> Bool {
        isEmpty ? true : choice(of: key) ?? choice(of: "All") ?? choice(of: "all") ?? true
    }
}
