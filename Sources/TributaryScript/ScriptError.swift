/// The reason why a script did not run to its end.
public struct ScriptError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a failure. The number of kinds is bounded, so a kind can serve as a label.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The label.
        public let description: String
        /// The script threw an exception, or the text is not JavaScript.
        public static let exception = Reason(description: "exception")
        /// The script uses a construct that is not allowed here, such as `import`.
        public static let refused = Reason(description: "refused")
        /// The script exceeded its time budget and was stopped.
        public static let timeExceeded = Reason(description: "time_exceeded")
        /// The script exceeded its memory budget and was stopped.
        public static let memoryExceeded = Reason(description: "memory_exceeded")
        /// The engine is closed, or was switched off after a script exceeded its budget.
        public static let unusable = Reason(description: "unusable")
        /// There is no JavaScript engine on this system, or it could not be started.
        public static let unavailable = Reason(description: "unavailable")
        /// A value cannot be passed between Swift and JavaScript.
        public static let badValue = Reason(description: "bad_value")
    }

    /// The kind of the failure.
    public let reason: Reason
    /// The fault as a text for people, or the text of the exception. At most 2,000 characters.
    public let message: String
    /// The line in `file`, counted from 1, when the engine knows it.
    public let line: Int?
    /// The column in that line, counted from 1, when the engine knows it.
    public let column: Int?
    /// The name of the script.
    public let file: String?
    /// The calls that led there, innermost first, one on each line. At most 2,000 characters.
    public let stack: String?

    /// An error, with its place when that is known.
    public init(
        _ reason: Reason, _ message: String, line: Int? = nil, column: Int? = nil, file: String? = nil,
        stack: String? = nil
    ) {
        self.reason = reason
        self.message = String(message.prefix(Self.textLimit))
        self.line = line
        self.column = column
        self.file = file
        self.stack = stack.map { String($0.prefix(Self.textLimit)) }
    }

    /// The failure as `file:line:column: message`, as far as the place is known.
    public var description: String {
        let place = [file, line.map(String.init), column.map(String.init)].compactMap { $0 }.joined(separator: ":")
        return place.isEmpty ? message : "\(place): \(message)"
    }

    /// A script chooses its own error texts, and a log should not contain megabytes of them.
    private static let textLimit = 2000
}
