/// The reason why a text, a value or a type could not become JSON, or JSON could not become a type.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of a failure. The number of kinds is bounded, so a kind can serve as a label.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The label.
        public let description: String
        /// The text is not JSON.
        public static let malformed = Reason(description: "malformed")
        /// The text is not UTF-8.
        public static let invalidUTF8 = Reason(description: "invalid_utf8")
        /// Arrays and objects are nested deeper than `JSONLimits.depth`.
        public static let tooDeep = Reason(description: "too_deep")
        /// The text is longer than the limit.
        public static let tooLarge = Reason(description: "too_large")
        /// A number is infinite or not a number, and the rule is to throw.
        public static let nonFinite = Reason(description: "non_finite")
        /// A date is outside of the years 0 to 9999, the years of a timestamp.
        public static let outOfRange = Reason(description: "out_of_range")
        /// A Swift value has no JSON form.
        public static let unsupportedType = Reason(description: "unsupported_type")
        /// A JSON value does not fit the type.
        public static let mismatch = Reason(description: "mismatch")
    }

    /// The kind of the failure.
    public let reason: Reason
    /// The exact fault, as a text for people.
    public let detail: String
    /// The place in the text, in bytes from its start; nil when there was no text.
    public let offset: Int?

    /// An error with its place.
    public init(_ reason: Reason, _ detail: String, offset: Int? = nil) {
        self.reason = reason
        self.detail = detail
        self.offset = offset
    }

    /// An error whose detail names its place as line and column, both counted from 1; a column is a character of Unicode.
    public init(_ reason: Reason, _ detail: String, at offset: Int, in text: some Collection<UInt8>) {
        var (line, column) = (1, 1)
        for byte in text.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                (line, column) = (line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.init(reason, "\(detail) (line \(line), column \(column))", offset: offset)
    }

    /// The failure as a sentence.
    public var description: String { detail }
}

extension JSONError {
    static func tooDeep(limit: Int = JSONLimits().depth) -> JSONError {
        JSONError(.tooDeep, "nested deeper than \(limit) levels")
    }
}
