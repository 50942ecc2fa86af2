/// A fault in a file, with its place: `FILE:LINE: reason`.
struct InputError: Error, Equatable, CustomStringConvertible {
    let file: String
    /// Counted from 1; nil when it is the file as a whole.
    let line: Int?
    let reason: String

    var description: String { line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)" }
}
