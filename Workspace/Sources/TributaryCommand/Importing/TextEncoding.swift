import ArgumentParser

/// The encoding of a text file.
enum TextEncoding: String, CaseIterable, ExpressibleByArgument {
    case utf8 = "utf-8"
    /// Excel writes it in the languages of Western Europe when it saves a file as CSV.
    case windows1252 = "windows-1252"

    /// The text; nil when the bytes are none in this encoding.
    func text(_ bytes: [UInt8]) -> String? {
        switch self {
        case .utf8:
            let text = String(decoding: bytes, as: UTF8.self)
            return text.utf8.elementsEqual(bytes) ? text : nil
        case .windows1252: return String(String.UnicodeScalarView(bytes.map(Self.windows1252)))
        }
    }

    /// How many bytes at the start are UTF-8.
    static func validBytes(_ bytes: [UInt8]) -> Int {
        var iterator = bytes.makeIterator()
        var decoder = UTF8()
        var count = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { count += UTF8.width(scalar) }
        return count
    }

    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? windowsScalars[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }

    /// The characters for the bytes 0x80 to 0x9F. The five bytes without a character are control characters, as in browsers.
    private static let windowsScalars: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{2C6}",
        "\u{2030}",
        "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}", "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}",
        "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}",
        "\u{9D}",
        "\u{17E}", "\u{178}",
    ]
}
