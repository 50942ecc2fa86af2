import ArgumentParser
import TributaryJSON

/// How a list is shown.
struct ListOptions: ParsableArguments {
    @Flag(help: "Write the list as JSON.")
    var json = false

    /// Shows the server's answer: a line for each element, or the answer as it is.
    /// - Parameter empty: the text to show when there are no elements.
    func show(_ answer: JSON, _ name: String, empty: String? = nil, line: (JSON) throws -> String) throws {
        if json { return print(answer.description) }
        let elements = try answer.list(name)
        if let empty, elements.isEmpty { print(empty) }
        for element in elements { print(try line(element)) }
    }
}
