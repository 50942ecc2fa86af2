/// Writes names and rows as PostgreSQL reads them.
enum PostgresText {
    /// A name in quotes.
    static func name(_ name: String) -> String {
        "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }

    static func names(_ names: some Sequence<String>) -> String { names.map(name).joined(separator: ", ") }

    /// Rows in the text format of COPY. Source: PostgreSQL 15, COPY, "Text Format".
    static func copyText(_ rows: [[String?]]) -> [UInt8] {
        var bytes: [UInt8] = []
        for row in rows {
            for (index, value) in row.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: "\t")) }
                guard let value else {
                    bytes += #"\N"#.utf8
                    continue
                }
                for byte in value.utf8 { append(byte, to: &bytes) }
            }
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
        case UInt8(ascii: "\t"): bytes += #"\t"#.utf8
        case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
        case UInt8(ascii: "\r"): bytes += #"\r"#.utf8
        default: bytes.append(byte)
        }
    }

    /// A list of values as an array. Source: PostgreSQL 15, 8.15.2, "Array Value Input".
    static func array(_ values: [String?]) -> String {
        let items = values.map { value in
            guard let value else { return "NULL" }
            var text = "\""
            for scalar in value.unicodeScalars {
                if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
                text.unicodeScalars.append(scalar)
            }
            return text + "\""
        }
        return "{\(items.joined(separator: ","))}"
    }
}
