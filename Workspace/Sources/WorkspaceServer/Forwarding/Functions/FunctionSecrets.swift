import Foundation
import TributaryJSON
import WorkspaceCore

/// The secrets of a destination function by name. They are stored as one JSON object, and are never shown.
package struct FunctionSecrets: Sendable, Equatable {
    private(set) var values: [String: String]

    package init(values: [String: String] = [:]) { self.values = values }

    /// - Parameter stored: the JSON object; empty for none.
    init(stored: [UInt8]) {
        self.init((try? JSON.parse(stored))?.objectValue ?? [:])
    }

    init(_ object: JSONObject) {
        values = Dictionary(object.compactMap { name, value in value.stringValue.map { (name, $0) } }) { $1 }
    }

    var stored: [UInt8] { JSON.object(JSONObject(values.mapValues(JSON.string))).encoded() }

    var names: [String] { values.keys.sorted() }

    /// The secrets after a change, without secrets that the class does not declare.
    /// - Parameter change: new values by name; nil removes one.
    /// - Throws: `Refusal` when a secret is not declared.
    func changed(
        _ change: [String: String?], for declared: [(name: String, isRequired: Bool)]
    ) throws(Refusal) -> FunctionSecrets {
        let known = Set(declared.map(\.name))
        if let stranger = change.keys.sorted().first(where: { !known.contains($0) }) {
            let list = known.isEmpty ? "none" : known.sorted().joined(separator: ", ")
            throw Refusal(.unusable, "the function has no secret \(stranger); it has \(list)")
        }
        var values = values.filter { known.contains($0.key) }
        for (name, value) in change { values[name] = value }
        return FunctionSecrets(values: values)
    }

    /// - Throws: `Refusal` when a required secret is missing. A destination that is off may lack one.
    func checkComplete(for declaration: FunctionDeclaration) throws(Refusal) {
        guard let missing = declaration.secrets.first(where: { $0.isRequired && values[$0.name] == nil }) else {
            return
        }
        throw Refusal(
            .unusable,
            "the secret \(missing.name) is missing; name it in secrets, or keep the destination off until then")
    }

    /// Reads the secrets of a request. The values are in no error.
    static func change(_ json: JSON) throws(Refusal) -> [String: String?] {
        guard let object = json.objectValue, object.count <= Limits.functionSecrets else {
            throw .invalid("secrets is an object of at most \(Limits.functionSecrets) texts by name; null removes one")
        }
        var change: [String: String?] = [:]
        for (name, value) in object {
            guard !value.isNull else {
                change[name] = .some(nil)
                continue
            }
            guard let text = value.stringValue, (1...Limits.functionSecret).contains(text.utf8.count) else {
                throw .invalid("the secret \(name) is a text of 1 to \(Limits.functionSecret) bytes")
            }
            change[name] = text
        }
        return change
    }

    /// A text for people, in which no secret is, however a receiver wrote it.
    func hidden(in text: String) -> String {
        var text = text
        // The longest first, because one may be a part of another.
        for (name, value) in values.sorted(by: { $0.value.count > $1.value.count }) {
            for form in Set([value, FunctionPlaceholders.percentEncoded(value), FunctionPlaceholders.inJSON(value)]) {
                text = text.replacing(form, with: "{{secret:\(name)}}")
            }
        }
        return text
    }
}
