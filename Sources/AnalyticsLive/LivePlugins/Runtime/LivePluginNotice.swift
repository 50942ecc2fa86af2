import TributaryScript

/// A notice to all live plugins.
struct LivePluginNotice {
    let kind: LivePluginNotices
    private let name: String
    private let settings: String
    private let isInitial: Bool

    /// New settings, as JSON text.
    static func update(settings: String, initial: Bool) -> LivePluginNotice {
        LivePluginNotice(kind: .update, name: "update", settings: settings, isInitial: initial)
    }

    /// The client was reset.
    static let reset = LivePluginNotice(kind: .reset, name: "reset", settings: "null", isInitial: false)

    /// The client is flushed.
    static let flush = LivePluginNotice(kind: .flush, name: "flush", settings: "null", isInitial: false)

    /// The arguments for the JavaScript side.
    var arguments: [ScriptValue] { [.string(name), .string(settings), .bool(isInitial)] }
}
