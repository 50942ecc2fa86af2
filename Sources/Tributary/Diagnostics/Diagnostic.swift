/// A report for an app or its developer. Code can compare its values and need not search in texts.
public struct Diagnostic: Sendable, CustomStringConvertible {
    /// The kind of occurrence. The number of kinds is bounded, so a kind can serve as a label.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The label.
        public let description: String
        init(_ description: String) { self.description = description }

        /// The configuration has a mistake; the client works as well as it can.
        public static let configuration = Kind("configuration")
        /// Values of a call have no JSON form; the event goes on without them.
        public static let invalidValue = Kind("invalid_value")
        /// An event will not be delivered, for the reason in the message.
        public static let eventDropped = Kind("event_dropped")
        /// A plugin failed or took too long; the event went on without it.
        public static let pluginFault = Kind("plugin_fault")
        /// Events cannot be stored on disk, or can be stored again.
        public static let storage = Kind("storage")
        /// Delivery is held up, or goes on.
        public static let delivery = Kind("delivery")
        /// Settings could not be fetched or read; the last good ones stay.
        public static let settings = Kind("settings")
        /// A live plugin bundle was installed, refused or rolled back.
        public static let livePlugins = Kind("live_plugins")
        /// A destination filter is not valid.
        public static let filters = Kind("filters")
        /// A signal could not be used, or a script or broadcaster of signals failed.
        public static let signals = Kind("signals")
        /// An error that the app or a plugin reported with `Analytics.reportInternalError`.
        public static let reported = Kind("reported")
        /// Data of another analytics library was taken over, or could not be.
        public static let migration = Kind("migration")
    }

    /// The importance of a diagnostic.
    public enum Severity: Sendable, CaseIterable {
        /// Something happened as intended, such as the start of a new version of the live plugins. Only observers get
        /// it.
        case notice
        /// Something went wrong. Observers and the error handler get it, and the log, at a bounded rate for each kind.
        case warning
        /// The app reported an error as fatal. It goes where a warning goes, and always to the log.
        case error
    }

    /// The kind of occurrence.
    public let kind: Kind
    /// The exact case, for kinds with several.
    public let reason: Reason?
    /// The importance of the diagnostic.
    public let severity: Severity
    /// The message, as a sentence.
    public let message: String
    /// The name of the plugin that it concerns.
    public let plugin: String?
    /// The key of the destination that it concerns.
    public let destination: String?
    /// The number of events that it concerns.
    public let count: Int
    /// The error that caused it, when the error handler has a case for it.
    var cause: AnalyticsError?

    /// - Parameter severity: default: a warning, or a notice for some reasons.
    package init(
        _ kind: Kind, _ message: String, reason: Reason? = nil, severity: Severity? = nil, plugin: String? = nil,
        destination: String? = nil, count: Int = 1
    ) {
        self.kind = kind
        self.reason = reason
        self.severity = severity ?? (reason.map(Reason.notices.contains) == true ? .notice : .warning)
        self.message = message
        self.plugin = plugin
        self.destination = destination
        self.count = count
    }

    /// The diagnostic with its cause.
    func caused(by cause: AnalyticsError?) -> Diagnostic {
        var result = self
        result.cause = cause
        return result
    }

    /// The diagnostic on one line.
    public var description: String {
        "\(kind): \(message)" + (plugin.map { " [plugin \($0)]" } ?? "")
            + (destination.map { " [destination \($0)]" } ?? "")
    }
}
