import TributaryJSON

/// The parts of a value that operators need, with JavaScript's types, in a few machine words.
///
/// A copy changes no reference count, and it decides nearly every comparison. Only two kinds of values need a look at
/// the original: equal texts of more than 16 bytes, and objects.
struct FilterValue: Sendable {
    enum Kind: UInt8, Sendable {
        case undefined, null, bool, number, text
        /// The lower case of a text, which is built only when it is needed.
        case lowercase
        /// An array or an object.
        case container
    }

    let kind: Kind
    /// A text's length in UTF-8 bytes; 1 for `true`.
    let count: Int
    /// A text's first eight bytes; the bits of a number.
    let head: UInt64
    /// A text's last eight bytes, so that up to 16 bytes are known completely.
    let tail: UInt64

    static let undefined = FilterValue(.undefined)
    static let null = FilterValue(.null)

    private init(_ kind: Kind, count: Int = 0, head: UInt64 = 0, tail: UInt64 = 0) {
        self.kind = kind
        self.count = count
        self.head = head
        self.tail = tail
    }

    init(_ value: Bool) { self.init(.bool, count: value ? 1 : 0) }

    init(_ value: Double) { self.init(.number, head: value.bitPattern) }

    init(_ json: JSON?) {
        switch json {
        case nil: self = .undefined
        case .null: self = .null
        case .bool(let value): self.init(value)
        case .number(let value): self.init(value.double)
        case .string(let value): self.init(text: value)
        case .array, .object: self.init(.container)
        }
    }

    init(text: String) {
        self = text.withBytes { bytes in
            let count = bytes.count
            guard count >= 8 else {
                var word: UInt64 = 0
                for byte in bytes.reversed() { word = word << 8 | UInt64(byte) }
                return FilterValue(.text, count: count, head: word, tail: 0)
            }
            let raw = UnsafeRawBufferPointer(bytes)
            let head = UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
            let tail = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
            return FilterValue(.text, count: count, head: head, tail: tail)
        }
    }

    /// The lower case of a text. Its length is that of the text, because operators only ask whether it is empty.
    static func lowercase(of text: FilterValue) -> FilterValue { FilterValue(.lowercase, count: text.count) }

    var number: Double { Double(bitPattern: head) }

    /// True for the value `true` itself.
    var isTrue: Bool { kind == .bool && count == 1 }

    /// True for a value that a JavaScript condition treats as true.
    var isTruthy: Bool {
        switch kind {
        case .undefined, .null: false
        case .bool, .text, .lowercase: count > 0
        case .number: number != 0 && !number.isNaN
        case .container: true
        }
    }

    /// False when the texts differ. True means that they are equal only for texts of up to 16 bytes.
    func seemsSameText(as other: FilterValue) -> Bool {
        count == other.count && head == other.head && tail == other.tail
    }

    /// True when `seemsSameText` decides.
    var isCompletelyKnown: Bool { count <= 16 }

    /// The name that `typeof` gives, as a value.
    var typeNameValue: FilterValue {
        switch kind {
        case .undefined: Self.undefinedName
        case .null, .container: Self.objectName
        case .bool: Self.booleanName
        case .number: Self.numberName
        case .text, .lowercase: Self.stringName
        }
    }

    private static let undefinedName = FilterValue(text: "undefined")
    private static let objectName = FilterValue(text: "object")
    private static let booleanName = FilterValue(text: "boolean")
    private static let numberName = FilterValue(text: "number")
    private static let stringName = FilterValue(text: "string")

    /// The name that `typeof` gives.
    var typeName: String {
        switch kind {
        case .undefined: "undefined"
        case .null, .container: "object"
        case .bool: "boolean"
        case .number: "number"
        case .text, .lowercase: "string"
        }
    }
}
