import TributaryJSON

/// A CSV file with names in its first line. A mapping makes an event of each other line.
struct CSVSource: ImportSource {
    private var records: CSVRecords
    private let names: [String]
    private let columns: [String: Int]
    private let mapping: CSVMapping
    private let ids: LineIds

    init(_ path: String, encoding: TextEncoding, mapping: CSVMapping, identity: String) throws(Failure) {
        var records = try CSVRecords(path, encoding: encoding)
        guard let first = try records.next() else { throw Failure("\(path) is empty") }
        names = first.fields
        columns = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        try mapping.check(columns: names)
        (self.records, self.mapping) = (records, mapping)
        ids = LineIds(identity)
    }

    var share: Double { records.share }

    func close() { records.close() }

    mutating func next() throws(Failure) -> ImportItem? {
        guard let record = try records.next() else { return nil }
        guard record.fields.count == names.count else {
            let reason = "it has \(record.fields.count) values for \(names.count) columns"
            return ImportItem(line: record.line, content: .unreadable(reason))
        }
        do throws(Failure) {
            let row = CSVRow(record: record, columns: columns)
            let event = ids.completed(try mapping.event(row), line: record.line)
            return ImportItem(line: record.line, content: .event(event))
        } catch {
            return ImportItem(line: record.line, content: .unreadable(error.description))
        }
    }
}
