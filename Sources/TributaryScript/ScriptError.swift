/// Why a script could not be run to its end.
public struct ScriptError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The family of a failure: bounded, so it can serve as a label.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The label.
        public let description: String
        /// The script threw; a text that is no JavaScript counts as that too.
        public static let exception = Reason(description: "exception")
        /// The script uses something that is not offered here, such as `import`.
        public static let refused = Reason(description: "refused")
        /// The script ran longer than its budget and was stopped.
        public static let timeExceeded = Reason(description: "time_exceeded")
        /// The script holds more memory than its budget and was stopped.
        public static let memoryExceeded = Reason(description: "memory_exceeded")
        /// The engine is closed, or was switched off after a breach.
        public static let unusable = Reason(description: "unusable")
        /// There is no JavaScript engine on this system, or it could not be started.
        public static let unavailable = Reason(description: "unavailable")
        /// A value cannot cross the border between Swift and JavaScript.
        public static let badValue = Reason(description: "bad_value")
    }

    /// The family of the failure.
    public let reason: Reason
    /// What went wrong, for a person to read; the text of the exception when there was one. At most 2,000 characters.
    public let message: String
    /// The line in `file`, counted from 1, when the engine knows it.
    public let line: Int?
    /// The column in that line, counted from 1, when the engine knows it.
    public let column: Int?
    /// The name that the script was given when it was evaluated.
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

    /// A script chooses its own error texts; a log should not have to carry megabytes of them.
    private static let textLimit = 2000
}
