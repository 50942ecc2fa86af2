extension Diagnostic {
    /// The exact case, for kinds with several cases. The number of reasons is bounded, so a reason can serve as a
    /// label.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The label.
        public let description: String
        init(_ description: String) { self.description = description }

        /// Delivery pauses until the time in the message.
        public static let paused = Reason("paused")
        /// Delivery goes on after failures.
        public static let resumed = Reason("resumed")
        /// A server takes no compressed bodies.
        public static let plain = Reason("plain")
        /// An event is larger than the protocol allows.
        public static let tooLarge = Reason("too_large")
        /// An id or a name is blank: it is empty or has only white space.
        public static let blank = Reason("blank")
        /// Values are nested deeper than readers of JSON take.
        public static let tooDeep = Reason("too_deep")
        /// The server refused an event for good; it was put aside.
        public static let deadLettered = Reason("dead_lettered")
        /// The settings give up the events after this answer of the server.
        public static let droppedBySettings = Reason("dropped_by_settings")
        /// A value of `httpConfig` was brought into its range.
        public static let httpConfig = Reason("http_config")
        /// A flush policy is too slow to see every event.
        public static let slowPolicy = Reason("slow_policy")
        /// A device-mode destination is slower than tracking. It loses the events for which its queue has no room.
        public static let destinationFull = Reason("destination_full")
        /// A call of a device-mode destination does not return. The pipeline no longer waits for it.
        public static let destinationStuck = Reason("destination_stuck")
        /// A device-mode destination that counted as stuck returned.
        public static let destinationRecovered = Reason("destination_recovered")
        /// This process delivers the events of an ended one.
        public static let adopted = Reason("adopted")
        /// This process gave back the event queue of an ended process, because the events could not be sent now.
        public static let givenBack = Reason("given_back")
        /// Files can be used again, or were created again.
        public static let recovered = Reason("recovered")
        /// Too many events wait in memory.
        public static let memoryFull = Reason("memory_full")
        /// Bytes on disk differ from the bytes that the client wrote.
        public static let damaged = Reason("damaged")
        /// More events wait than the limits allow: `bytes`, `records` or `age`.
        static func bound(_ kind: String) -> Reason { Reason("\(kind)_bound") }
        /// The reasons of notices, as opposed to warnings.
        static let notices: Set<Reason> = [.resumed, .plain, .destinationRecovered, .adopted, .givenBack, .recovered]
        /// A newer version of the library has used the folder.
        public static let newerFormat = Reason("newer_format")
        /// The folder was encrypted with another key than the configuration's.
        public static let otherKey = Reason("other_key")
    }
}
