/// A failure that ends the command with one line on standard error and exit code 1.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
