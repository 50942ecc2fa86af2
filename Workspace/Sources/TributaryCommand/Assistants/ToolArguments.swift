import Foundation
import TributaryFilterTestKit
import TributaryJSON

/// The arguments of a call, which have the types that the tool wants.
struct ToolArguments: Sendable {
    private let values: JSONObject

    /// - Throws: `Failure` for an argument that is unknown, missing or of another type.
    init(_ values: JSONObject, _ parameters: [ToolParameter], of tool: String) throws(Failure) {
        // Assistants send null for what they leave out.
        var values = values
        values.removeAll { $0.value.isNull }
        for (name, value) in values {
            guard let parameter = parameters.first(where: { $0.name == name }) else {
                throw Self.unknown(name, parameters.map(\.name), tool)
            }
            guard parameter.accepts(value) else { throw Failure("\(name) is \(parameter.type)") }
        }
        for parameter in parameters where parameter.isRequired && values[parameter.name] == nil {
            throw Failure("\(tool) needs the argument \(parameter.name)")
        }
        self.values = values
    }

    private static func unknown(_ name: String, _ known: [String], _ tool: String) -> Failure {
        let advice =
            if let nearest = SimilarName.nearest(to: name, among: known) {
                "did you mean \(nearest)?"
            } else {
                known.isEmpty ? "it has none" : "known are \(known.joined(separator: ", "))"
            }
        return Failure("\(tool) has no argument \(name.printable); \(advice)")
    }

    /// The text of a required argument.
    func text(_ name: String) -> String { values[name]?.stringValue ?? "" }

    /// The body that an argument is: a text as it is, anything else as JSON.
    func body(_ name: String) -> Data {
        Data(values[name].map { $0.stringValue.map { Array($0.utf8) } ?? $0.encoded() } ?? [])
    }

    /// The arguments as a query; an array repeats its name.
    func query(without left: Set<String> = []) -> [URLQueryItem] {
        values.filter { !left.contains($0.key) }.flatMap { name, value in
            (value.elements ?? [value]).map { URLQueryItem(name: name, value: $0.stringValue ?? $0.description) }
        }
    }
}
