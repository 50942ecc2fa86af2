/// Why the demo cannot go on, with the last output of a child process.
struct DemoError: Error, Equatable, CustomStringConvertible {
    let description: String
    /// The last lines of a child's output.
    let details: [String]

    init(_ description: String, details: [String] = []) { (self.description, self.details) = (description, details) }
}
