extension Diagnostic {
    /// The exact case, where apps or tests distinguish cases of a kind: bounded, so it can serve as a label.
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
        /// Values are nested deeper than readers of JSON take.
        public static let tooDeep = Reason("too_deep")
        /// The server refused an event for good; it was put aside.
        public static let deadLettered = Reason("dead_lettered")
        /// The settings say that events which a server answers like that are given up.
        public static let droppedBySettings = Reason("dropped_by_settings")
        /// A value of `httpConfig` was brought into its range.
        public static let httpConfig = Reason("http_config")
        /// A flush policy is too slow to be shown every event.
        public static let slowPolicy = Reason("slow_policy")
        /// A device-mode destination is too slow for what is tracked: events that find no place are lost to it.
        public static let destinationFull = Reason("destination_full")
        /// A call of a device-mode destination does not return: the pipeline no longer waits for it.
        public static let destinationStuck = Reason("destination_stuck")
        /// A device-mode destination that counted as stuck has come back.
        public static let destinationRecovered = Reason("destination_recovered")
        /// This process delivers the events of an ended one.
        public static let adopted = Reason("adopted")
        /// An event queue of an ended process was given back, because its events could not be sent now.
        public static let givenBack = Reason("given_back")
        /// Files can be used again, or were made again.
        public static let recovered = Reason("recovered")
        /// Too many events wait in memory.
        public static let memoryFull = Reason("memory_full")
        /// Bytes on disk are not what was written.
        public static let damaged = Reason("damaged")
        /// More waits than is allowed: by `bytes`, `records` or `age`.
        static func bound(_ kind: String) -> Reason { Reason("\(kind)_bound") }
        /// Those that are no trouble.
        static let notices: Set<Reason> = [.resumed, .plain, .destinationRecovered, .adopted, .givenBack, .recovered]
        /// A newer version of the library has used the folder.
        public static let newerFormat = Reason("newer_format")
        /// The folder was encrypted with another key than the configuration's.
        public static let otherKey = Reason("other_key")
    }
}
