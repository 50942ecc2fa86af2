import Foundation

extension Data {
    /// The bytes in lower-case hexadecimal.
    package var hexadecimal: String {
        reduce(into: "") { text, byte in
            if byte < 16 { text.append("0") }
            text.append(String(byte, radix: 16))
        }
    }

    /// Nil when the text is not hexadecimal.
    package init?(hexadecimal text: String) {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes = Data()
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        self = bytes
    }
}
