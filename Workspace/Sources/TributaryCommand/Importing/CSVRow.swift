import TributaryJSON

/// A record with the names of its columns.
struct CSVRow {
    let record: CSVRecords.Record
    /// The first column of each name.
    let columns: [String: Int]

    /// The value of a column; nil when the file has none of that name.
    subscript(column: String) -> String? { columns[column].map { record.fields[$0] } }

    /// An error of a value, with its place in the file.
    func placed(_ error: JSONError, in column: String) -> JSONError {
        guard let offset = error.offset, let field = columns[column] else { return error }
        return error.at(record.place(of: offset, in: field))
    }
}
