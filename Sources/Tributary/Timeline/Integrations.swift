import TributaryJSON

/// The form in which events and tracking plans choose among destinations: keys of destinations, and `All` for those
/// that are not named, to booleans or to options, which mean yes. A key may have dots.
extension JSONObject {
    /// Whether the destination is named, and what is said of it; nil when nothing is.
    func choice(of key: String) -> Bool? {
        guard let value = self[key], !value.isNull else { return nil }
        switch value {
        case .bool(let isChosen): return isChosen
        case .number: return value.doubleValue != 0
        default: return true
        }
    }

    /// Whether the destination may see it: by its own key, else by `All`, else yes.
    func allows(_ key: String) -> Bool {
        isEmpty ? true : choice(of: key) ?? choice(of: "All") ?? choice(of: "all") ?? true
    }
}
