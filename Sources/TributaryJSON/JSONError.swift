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
    /// The exact fault without its place, as a text for people.
    private let fault: String
    /// The place in the text, in bytes from its start; nil when there was no text.
    public let offset: Int?
    /// The place in the text, for people; nil when there was no text.
    public let place: TextPlace?

    /// An error of a value without a text.
    public init(_ reason: Reason, _ detail: String, offset: Int? = nil) {
        self.init(reason, detail, offset: offset, place: nil)
    }

    /// An error with a detail that names its place as line and column, both counted from 1; a column is a character of Unicode.
    public init(_ reason: Reason, _ detail: String, at offset: Int, in text: some Collection<UInt8>) {
        self.init(reason, detail, offset: offset, place: TextPlace(behind: offset, in: text))
    }

    private init(_ reason: Reason, _ fault: String, offset: Int?, place: TextPlace?) {
        self.reason = reason
        self.fault = fault
        self.offset = offset
        self.place = place
    }

    /// The error with another place, for a text that is a part of a longer one.
    public func at(_ place: TextPlace) -> JSONError { JSONError(reason, fault, offset: offset, place: place) }

    /// The error in a longer text, in which this text begins a line.
    /// - Parameter first: the number of the line where it begins.
    public func inText(fromLine first: Int) -> JSONError { place.map { at($0.inText(fromLine: first)) } ?? self }

    /// The exact fault with its place, as a text for people.
    public var detail: String { place.map { "\(fault) (\($0))" } ?? fault }

    /// The failure as a sentence.
    public var description: String { detail }
}

extension JSONError {
    static func tooDeep(limit: Int = JSONLimits().depth) -> JSONError {
        JSONError(.tooDeep, "nested deeper than \(limit) levels")
    }
}
