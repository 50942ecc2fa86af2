package import TributaryJSON
package import WorkspaceCore

/// The declarations of the class of a destination function, as a process has read them from the code.
package struct FunctionDeclaration: Sendable, Equatable {
    /// As it is stored and shown: the name of the class, its settings, secrets, hosts and types of events.
    package let json: JSONObject
    let hosts: [String]
    /// The most events of one call; nil when each event is a call of its own.
    package let batchEvents: Int?
    /// The statuses of an answer that mean that the service will never take the event, beside those of webhooks.
    let refusals: Set<UInt>
    /// Whether the class has `answered`, which reads the answers of the service.
    let readsAnswers: Bool
    /// The secrets by name, with whether each is required.
    package let secrets: [(name: String, isRequired: Bool)]

    package static func == (left: FunctionDeclaration, right: FunctionDeclaration) -> Bool { left.json == right.json }

    private static let members = [
        "class", "settings", "secrets", "hosts", "batchEvents", "refusals", "types", "readsAnswers",
    ]

    /// - Throws: `Refusal` when it is none.
    package init(_ json: JSON) throws(Refusal) {
        guard let hosts = json["hosts"]?.elements?.compactMap(\.stringValue), !hosts.isEmpty,
            hosts.count <= Limits.functionHosts, let secrets = json["secrets"]?.objectValue,
            json["settings"]?.objectValue != nil, json["class"]?.stringValue != nil
        else { throw .invalid("the declaration of the function is not that of a class; store its code again") }
        var own = JSONObject()
        for name in Self.members { own[name] = json[name] }
        self.json = own
        self.hosts = hosts
        self.secrets = secrets.map { ($0.key, $0.value["required"]?.boolValue ?? false) }
        let refusals = json["refusals"]?.elements?.compactMap(\.intValue) ?? []
        self.refusals = Set(refusals.filter { 400...499 ~= $0 }.map(UInt.init))
        readsAnswers = json["readsAnswers"]?.boolValue ?? false
        batchEvents = json["batchEvents"]?.intValue.map { min(max($0, 1), Limits.functionBatch) }
    }

    /// The values of all settings that have one.
    /// - Parameter given: the values of the operator.
    func values(_ given: JSONObject) -> JSONObject {
        var values = JSONObject()
        for (name, setting) in json["settings"]?.objectValue ?? [:] {
            let value = given[name].flatMap { $0.isNull ? nil : $0 } ?? setting["default"]
            if let value { values[name] = value }
        }
        return values
    }
}

/// The hosts that a function reaches, with the values of its settings.
package struct FunctionHosts: Sendable, Equatable {
    /// Scheme, host and port of each.
    private let origins: [String]

    /// - Parameters:
    ///   - patterns: as the class names them. `{name}` is replaced by a setting; alone, by the host of the address in it.
    ///   - values: the values of the settings.
    /// - Throws: `Refusal` when one is no host.
    package init(_ patterns: [String], values: JSONObject) throws(Refusal) {
        origins = try patterns.map { pattern throws(Refusal) in try Self.origin(pattern, values) }
    }

    /// Whether requests may go there.
    package func allow(_ address: ServiceAddress) -> Bool { origins.contains(Self.origin(address)) }

    /// The hosts as a text for people.
    package var description: String { origins.joined(separator: ", ") }

    private static func origin(_ pattern: String, _ values: JSONObject) throws(Refusal) -> String {
        if let match = pattern.wholeMatch(of: /\{([A-Za-z0-9_]+)\}/) {
            let name = String(match.1)
            let text = try value(of: name, in: pattern, values)
            let address = try address(text, "the setting \(name), which static hosts names,")
            return origin(address)
        }
        var text = pattern
        for match in pattern.matches(of: /\{([A-Za-z0-9_]+)\}/) {
            let name = String(match.1)
            let value = try value(of: name, in: pattern, values)
            guard value.utf8.allSatisfy({ $0.isAlphanumeric || "-.".utf8.contains($0) }), !value.isEmpty else {
                throw Refusal(.unusable, "the setting \(name) is a part of a host: letters, digits, hyphens and points")
            }
            text = text.replacing("{\(name)}", with: value)
        }
        guard text.utf8.allSatisfy({ $0.isAlphanumeric || "-.:".utf8.contains($0) }) else {
            throw Refusal(.unusable, "static hosts: \"\(pattern)\" is no host such as api.example.com")
        }
        return origin(try address("https://\(text)", "static hosts: \"\(pattern)\""))
    }

    private static func value(
        of name: String, in pattern: String, _ values: JSONObject
    ) throws(Refusal) -> String {
        guard let value = values[name]?.stringValue else {
            throw Refusal(
                .unusable, "static hosts: \"\(pattern)\" needs the setting \(name), a text, which has no value")
        }
        return value
    }

    private static func address(_ text: String, _ what: String) throws(Refusal) -> ServiceAddress {
        do throws(ServiceAddress.Problem) {
            return try ServiceAddress(text)
        } catch {
            throw Refusal(.unusable, "\(what) is no address: \(error.description)")
        }
    }

    /// A usual port may be named or not.
    private static func origin(_ address: ServiceAddress) -> String {
        let port = address.port ?? (address.scheme == "https" ? 443 : 80)
        return "\(address.scheme)://\(address.host):\(port)"
    }
}
