/// Why the demo cannot go on, with what a child process said about it.
struct DemoError: Error, Equatable, CustomStringConvertible {
    let description: String
    /// The last lines of a child's output.
    let details: [String]

    init(_ description: String, details: [String] = []) {
        self.description = description
        self.details = details
    }
}
