/// What has to be known before events are processed.
struct StartConditions {
    /// Whether settings apply.
    var hasSettings = false
    /// Whether plugins added right after the client was made had their chance to be there.
    var hasTurned = false
    /// Plugins that asked to be waited for.
    var waiting: Set<ObjectIdentifier> = []

    /// Whether the settings switched collection off.
    var isSwitchedOff = false

    var areMet: Bool { hasSettings && hasTurned && waiting.isEmpty && !isSwitchedOff }

    /// Why processing has not begun; nil when it has.
    var blocker: UploadObstacle? {
        if !hasSettings { return UploadObstacle(.starting, "settings are not known yet") }
        if isSwitchedOff { return UploadObstacle(.switchedOff, "the settings switched collection off") }
        if !hasTurned { return UploadObstacle(.starting, "the app is still adding plugins") }
        return waiting.isEmpty ? nil : UploadObstacle(.starting, "a plugin asked to wait")
    }
}
