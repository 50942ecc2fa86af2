/// What has to be known before events are processed.
struct StartConditions {
    /// Whether settings apply.
    var hasSettings = false
    /// Whether plugins added right after the client was made had their chance to be there.
    var hasTurned = false
    /// Plugins that asked to be waited for.
    var waiting: Set<ObjectIdentifier> = []

    var areMet: Bool { hasSettings && hasTurned && waiting.isEmpty }

    /// Why processing has not begun; nil when it has.
    var blocker: String? {
        if !hasSettings { return "settings are not known yet" }
        if !hasTurned { return "the app is still adding plugins" }
        return waiting.isEmpty ? nil : "a plugin asked to wait"
    }
}
