extension Diagnostic {
    /// What exactly happened, where apps or tests want to tell cases of a kind apart: bounded, so it can serve as a
    /// label.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The label.
        public let description: String
        init(_ description: String) { self.description = description }

        /// Delivery rests until a time that it names.
        public static let paused = Reason("paused")
        /// Delivery goes on after failures.
        public static let resumed = Reason("resumed")
        /// A server takes no compressed bodies.
        public static let plain = Reason("plain")
        /// An event is larger than the protocol allows.
        public static let tooLarge = Reason("too_large")
        /// The server refused an event for good; it was put aside.
        public static let deadLettered = Reason("dead_lettered")
        /// The settings say that events which a server answers like that are given up.
        public static let droppedBySettings = Reason("dropped_by_settings")
        /// A value of `httpConfig` was brought into its range.
        public static let httpConfig = Reason("http_config")
        /// A flush policy is too slow to be shown every event.
        public static let slowPolicy = Reason("slow_policy")
    }
}
