import TributaryJSON

/// Comma-separated values as RFC 4180 has them, record by record: a quoted value may hold commas, quotes and line breaks.
struct CSVRecords {
    struct Record {
        /// The line where it began, counted from 1.
        let line: Int
        let fields: [String]
        fileprivate let text: [UInt8]

        /// The place in the file of a byte of a value.
        func place(of offset: Int, in field: Int) -> TextPlace {
            let index = CSVFields(text).place(of: offset, in: field, text)
            return TextPlace(behind: index, in: text).inText(fromLine: line)
        }
    }

    private let path: String
    private let encoding: TextEncoding
    private var lines: EventLines

    init(_ path: String, encoding: TextEncoding = .utf8) throws(Failure) {
        (self.path, self.encoding) = (path, encoding)
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
            guard let more = try lines.nextOfAny() else { throw neverEnding(first.number, bytes) }
            bytes += [UInt8(ascii: "\n")] + more.bytes
            if Self.hasOpenQuote(more.bytes) { isOpen.toggle() }
            guard bytes.count <= EventLines.lineBytes else {
                throw Failure(
                    "\(path): the record of line \(first.number) is longer than \(EventLines.lineBytes) bytes")
            }
        }
        let text = Array(try text(bytes, first.number).utf8)
        let fields = CSVFields(text).values.map { String(decoding: $0, as: UTF8.self) }
        return Record(line: first.number, fields: fields, text: text)
    }

    private func text(_ bytes: [UInt8], _ line: Int) throws(Failure) -> String {
        if let text = encoding.text(bytes) { return text }
        let place = TextPlace(behind: TextEncoding.validBytes(bytes), in: bytes).inText(fromLine: line)
        throw Failure(
            "\(path): the record of line \(line) is not UTF-8 (\(place)); save the file as UTF-8, or add --encoding "
                + "windows-1252 when it comes from Excel")
    }

    private func neverEnding(_ line: Int, _ bytes: [UInt8]) -> Failure {
        let text = encoding.text(bytes).map { Array($0.utf8) } ?? bytes
        let place = TextPlace(behind: CSVFields(text).openQuote ?? 0, in: text).inText(fromLine: line)
        return Failure("\(path): a quote never ends in the record of line \(line); it begins at \(place)")
    }

    /// Quotes inside of values are doubled, so each pair changes nothing.
    private static func hasOpenQuote(_ bytes: [UInt8]) -> Bool {
        !bytes.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2)
    }
}
