import TributaryJSON

extension SignalRecord {
    /// The signal without texts that the user has typed, seen or sent. Its kind and its place stay readable.
    var obfuscated: JSON {
        var signal = json
        signal["data"] = Self.obfuscated(json["data"] ?? .null, of: self.signal.type)
        return signal
    }

    static func obfuscated(_ data: JSON, of type: SignalType) -> JSON {
        guard var members = data.objectValue else { return Obfuscation.obfuscated(data) }
        if case .string(let address)? = members["url"], type == .network {
            members["url"] = .string(Obfuscation.address(address))
        }
        return .object(Obfuscation.members(members, keeping: readable(in: type)))
    }

    /// Members that stay readable in a stored signal; none for a type that is not known.
    static func readable(in type: String) -> Set<String> {
        SignalType(rawValue: type).map { readable(in: $0) } ?? []
    }

    /// Members with values that come from the app's code, not from its users.
    private static func readable(in type: SignalType) -> Set<String> {
        switch type {
        case .navigation: ["action", "screen", "currentScreen", "previousScreen"]
        case .interaction: ["component"]
        case .network: ["action", "url", "method", "statusCode", "status", "ok", "contentType", "requestId"]
        case .localData: ["action", "identifier"]
        case .instrumentation: ["type"]
        case .userDefined: []
        }
    }
}
