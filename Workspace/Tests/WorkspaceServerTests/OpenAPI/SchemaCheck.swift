import TributaryJSON

/// Compares answers with an OpenAPI document. The check knows the part of JSON Schema that the document uses.
struct SchemaCheck {
    let document: JSON

    /// The schema that a reference names.
    func resolved(_ json: JSON) -> JSON {
        guard let reference = json["$ref"]?.stringValue else { return json }
        var found: JSON? = document
        for step in reference.dropFirst(2).split(separator: "/") { found = found?[String(step)] }
        return found ?? .null
    }

    /// The places at which a value differs from a schema.
    func problems(_ value: JSON, _ schema: JSON, at path: String = "$") -> [String] {
        let schema = resolved(schema)
        guard schema.objectValue != nil else { return ["\(path): the schema cannot be found"] }
        if let constant = schema["const"] { return value == constant ? [] : ["\(path) is not \(constant)"] }
        if let allowed = schema["enum"]?.elements, !allowed.contains(value) { return ["\(path) is \(value)"] }
        guard let type = schema["type"] else { return [] }
        let types = type.elements?.compactMap(\.stringValue) ?? [type.stringValue ?? ""]
        guard types.contains(where: { Self.isOf($0, value) }) else { return ["\(path) is \(value), not \(types)"] }
        if let object = value.objectValue { return problems(object, schema, path) }
        guard let elements = value.elements, let items = schema["items"] else { return [] }
        return elements.enumerated().flatMap { problems($1, items, at: "\(path)[\($0)]") }
    }

    private func problems(_ object: JSONObject, _ schema: JSON, _ path: String) -> [String] {
        let known = schema["properties"]?.objectValue ?? [:]
        var problems = (schema["required"]?.elements ?? []).compactMap { name in
            name.stringValue.flatMap { object[$0] == nil ? "\(path).\($0) is missing" : nil }
        }
        for (name, value) in object {
            if let schema = known[name] {
                problems += self.problems(value, schema, at: "\(path).\(name)")
            } else if let others = schema["additionalProperties"], others.objectValue != nil {
                problems += self.problems(value, others, at: "\(path).\(name)")
            } else if schema["additionalProperties"] == false {
                problems.append("\(path).\(name) is not documented")
            }
        }
        return problems
    }

    private static func isOf(_ type: String, _ value: JSON) -> Bool {
        switch type {
        case "null": value.isNull
        case "string": value.stringValue != nil
        case "integer": value.intValue != nil
        case "number": value.doubleValue != nil
        case "boolean": value.boolValue != nil
        case "array": value.elements != nil
        case "object": value.objectValue != nil
        default: false
        }
    }
}
