/// The type of a property's value, as JSON has it.
package enum PropertyKind: String, CaseIterable, Sendable {
    case string, number, boolean, object, array, null

    /// The type of a valid value.
    /// - Parameter byte: its first.
    package init(firstByte byte: UInt8?) {
        self =
            switch byte {
            case UInt8(ascii: "\""): .string
            case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
            case UInt8(ascii: "{"): .object
            case UInt8(ascii: "["): .array
            case UInt8(ascii: "n"): .null
            default: .number
            }
    }
}
