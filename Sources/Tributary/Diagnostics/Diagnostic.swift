/// Something that an app or its developer may want to know: a value, not a text to search in.
public struct Diagnostic: Sendable, CustomStringConvertible {
    /// The kind of occurrence: bounded, so it can serve as a label.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The label.
        public let description: String
        init(_ description: String) { self.description = description }

        /// Something in the configuration cannot be as it is; the client does the best it can.
        public static let configuration = Kind("configuration")
        /// Values of a call have no JSON form; the event goes on without them.
        public static let invalidValue = Kind("invalid_value")
        /// An event will not be delivered, and why.
        public static let eventDropped = Kind("event_dropped")
        /// A plugin failed or took too long; the event went on without it.
        public static let pluginFault = Kind("plugin_fault")
        /// Events cannot be stored on disk, or can be again.
        public static let storage = Kind("storage")
        /// Delivery is held up, or goes on.
        public static let delivery = Kind("delivery")
        /// Settings could not be fetched or read; the last good ones stay.
        public static let settings = Kind("settings")
        /// A live plugin bundle was installed, refused or rolled back.
        public static let livePlugins = Kind("live_plugins")
        /// A destination filter could not be understood.
        public static let filters = Kind("filters")
        /// A signal could not be used, or a script or broadcaster of signals failed.
        public static let signals = Kind("signals")
        /// An error that the app or a plugin reported with `Analytics.reportInternalError`.
        public static let reported = Kind("reported")
        /// Something was taken over from another analytics library, or could not be.
        public static let migration = Kind("migration")
    }

    /// How much a diagnostic matters.
    public enum Severity: Sendable, CaseIterable {
        /// Something happened as it should, such as a new version of the live plugins. Only observers get it.
        case notice
        /// Something went wrong. The error handler gets it, and the log, there each kind at a bounded rate.
        case warning
        /// The app reported an error as fatal. As a warning, and always in the log.
        case error
    }

    /// The kind of occurrence.
    public let kind: Kind
    /// The exact case, where a kind has several.
    public let reason: Reason?
    /// How much it matters.
    public let severity: Severity
    /// The message, as a sentence.
    public let message: String
    /// The plugin that it concerns, by name.
    public let plugin: String?
    /// The destination that it concerns, by key.
    public let destination: String?
    /// How many events it concerns.
    public let count: Int
    /// The error that it came of, when the error handler has a case for it.
    var cause: AnalyticsError?

    /// - Parameter severity: a warning, unless the reason is good news.
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

    /// The same, with the error that caused it.
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
