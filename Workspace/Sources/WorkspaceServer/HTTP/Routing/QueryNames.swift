import HTTPTypes
import TributaryJSON
import WorkspaceCore

/// The names that the query of a request may have, from the description of the HTTP API.
struct QueryNames: Sendable {
    /// For each address the names that it takes, and whether they may be repeated.
    private let known: [String: [String: Bool]]

    /// - Parameter document: a description in the form of OpenAPI.
    init(_ document: JSON) {
        var known: [String: [String: Bool]] = [:]
        for (path, item) in document["paths"]?.objectValue ?? [:] {
            for (method, operation) in item.objectValue ?? [:] where method != "servers" {
                let parameters = operation["parameters"]?.elements ?? []
                known[DescribedRoute.address(method.uppercased(), path)] = Self.names(parameters, document)
            }
        }
        self.known = known
    }

    /// The names in the description that the workspace serves.
    static func described() throws -> QueryNames {
        QueryNames(try JSON.parse(EmbeddedFile.named("openapi.json").text))
    }

    private static func names(_ parameters: [JSON], _ document: JSON) -> [String: Bool] {
        var names: [String: Bool] = [:]
        for parameter in parameters {
            let shared = parameter["$ref"]?.stringValue?.split(separator: "/").last
            let parameter = shared.flatMap { document["components"]?["parameters"]?[String($0)] } ?? parameter
            guard parameter["in"] == "query", let name = parameter["name"]?.stringValue else { continue }
            names[name] = parameter["schema"]?["type"] == "array"
        }
        return names
    }

    /// - Parameter path: of the route, with its parameters behind colons or in braces.
    /// - Throws: 400 that names what the address does not take, or takes once only. An address that is not described takes
    ///   everything.
    func check(_ given: [String], of method: HTTPRequest.Method, at path: String) throws(Refusal) {
        guard let known = known[DescribedRoute.address(method.rawValue, path)] else { return }
        var seen: Set<String> = []
        for name in given {
            guard let mayRepeat = known[name] else {
                let names = known.keys.sorted().joined(separator: ", ")
                throw .invalid("this address takes no \(name)" + (names.isEmpty ? "" : "; it takes \(names)"))
            }
            guard seen.insert(name).inserted || mayRepeat else { throw .invalid("\(name) is there twice") }
        }
    }
}
