/// Comma-separated values as RFC 4180 has them, record by record: a quoted value may hold commas, quotes and line breaks.
struct CSVRecords {
    struct Record {
        /// The line where it began, counted from 1.
        let line: Int
        let fields: [String]
    }

    private let path: String
    private let encoding: TextEncoding
    private var lines: EventLines

    init(_ path: String, encoding: TextEncoding = .utf8) throws(Failure) {
        self.path = path
        self.encoding = encoding
        lines = try EventLines(path)
    }

    var share: Double { lines.share }

    func close() { lines.close() }

    /// The next record; empty lines between records are skipped.
    mutating func next() throws(Failure) -> Record? {
        guard let first = try lines.next() else { return nil }
        var bytes = first.bytes
        // A record goes on while a quote is open.
        var isOpen = Self.hasOpenQuote(bytes)
        while isOpen {
            guard let more = try lines.nextOfAny() else {
                throw Failure("\(path): the quote that begins in the record of line \(first.number) never ends")
            }
            bytes += [UInt8(ascii: "\n")] + more.bytes
            if Self.hasOpenQuote(more.bytes) { isOpen.toggle() }
            guard bytes.count <= EventLines.lineBytes else {
                throw Failure(
                    "\(path): the record of line \(first.number) is longer than \(EventLines.lineBytes) bytes")
            }
        }
        guard let fields = Self.fields(bytes, encoding) else {
            throw Failure(
                "\(path): the record of line \(first.number) is not UTF-8; save the file as UTF-8, or add --encoding "
                    + "windows-1252 when it comes from Excel")
        }
        return Record(line: first.number, fields: fields)
    }

    /// Quotes inside of values are doubled, so each pair changes nothing.
    private static func hasOpenQuote(_ bytes: [UInt8]) -> Bool {
        !bytes.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2)
    }

    /// - Returns: nil when the bytes are no text of the encoding.
    static func fields(_ bytes: [UInt8], _ encoding: TextEncoding = .utf8) -> [String]? {
        let quote = UInt8(ascii: "\"")
        var fields: [[UInt8]] = [[]]
        var isQuoted = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == quote {
                if isQuoted, index + 1 < bytes.count, bytes[index + 1] == quote {
                    fields[fields.count - 1].append(quote)
                    index += 1
                } else {
                    isQuoted.toggle()
                }
            } else if byte == UInt8(ascii: ","), !isQuoted {
                fields.append([])
            } else {
                fields[fields.count - 1].append(byte)
            }
            index += 1
        }
        let texts = fields.compactMap(encoding.text)
        return texts.count == fields.count ? texts : nil
    }
}
