import TributaryJSON
import WorkspaceCore

/// An argument of a tool.
struct ToolParameter: Sendable {
    enum Kind: Sendable { case text, integer, texts, objects }

    let name: String
    let kind: Kind
    let about: String
    let choices: [String]
    let isRequired: Bool

    init(_ name: String, _ about: String, _ kind: Kind = .text, choices: [String] = [], isRequired: Bool = false) {
        self.name = name
        self.kind = kind
        self.about = about
        self.choices = choices
        self.isRequired = isRequired
    }

    /// The schema of its value.
    var schema: JSON {
        var schema: JSON =
            switch kind {
            case .text: ["type": "string"]
            case .integer: ["type": "integer"]
            case .texts: ["type": "array", "items": ["type": "string"]]
            case .objects: ["type": "array", "items": ["type": "object"]]
            }
        if !choices.isEmpty { schema["enum"] = .strings(choices) }
        schema["description"] = .string(about)
        return schema
    }

    /// Whether the value has the right type. Whether it makes sense is for the API to say.
    func accepts(_ value: JSON) -> Bool {
        switch kind {
        case .text: value.stringValue != nil
        case .integer: value.intValue != nil
        case .texts: value.elements?.allSatisfy { $0.stringValue != nil } ?? false
        case .objects: value.elements?.allSatisfy { $0.objectValue != nil } ?? false
        }
    }

    /// The type for people.
    var type: String {
        switch kind {
        case .text: "a text"
        case .integer: "an integer"
        case .texts: "an array of texts"
        case .objects: "an array of objects"
        }
    }
}
