import Foundation
import TributaryJSON

/// The options of `serve`, from flags, environment and file.
///
/// A flag overrides the environment, the environment the configuration file, and the file the default. A list is taken
/// from one of them, not gathered from all.
struct ServeValues {
    /// An option: the kind of its value, and the member of `Serve` that has it from the command line.
    enum Option: Sendable {
        case text(any KeyPath<Serve, String?> & Sendable)
        case number(any KeyPath<Serve, String?> & Sendable)
        case list(any KeyPath<Serve, [String]> & Sendable)
        case bool(any KeyPath<Serve, Bool> & Sendable)

        func texts(of command: Serve) -> [String] {
            switch self {
            case .text(let member), .number(let member): command[keyPath: member].map { [$0] } ?? []
            case .list(let member): command[keyPath: member]
            case .bool(let member): command[keyPath: member] ? ["true"] : []
            }
        }
    }

    /// Every option by its name, which is the name of the flag. In the environment it is `TRIBUTARY_` and the name in
    /// capital letters with underscores; in the file it is the name itself.
    static let options: [String: Option] = [
        "host": .text(\.host), "port": .number(\.port), "data": .text(\.data), "write-key": .list(\.writeKey),
        "admin-token-file": .text(\.adminTokenFile), "allowed-host": .list(\.allowedHost),
        "trusted-proxy": .list(\.trustedProxy), "public-url": .text(\.publicURL),
        "metrics-token-file": .text(\.metricsTokenFile), "files-folder": .text(\.filesFolder),
        "country-database": .text(\.countryDatabase),
        "web-libraries": .text(\.webLibraries), "access-log": .bool(\.accessLog),
        "tls-certificate": .text(\.tlsCertificate), "tls-key": .text(\.tlsKey),
        "tls-development": .bool(\.tlsDevelopment), "notice-url": .text(\.noticeURL),
        "smtp-server": .text(\.smtpServer), "smtp-security": .text(\.smtpSecurity),
        "smtp-login-file": .text(\.smtpLoginFile), "smtp-authority": .text(\.smtpAuthority),
        "mail-from": .text(\.mailFrom), "mail-to": .list(\.mailTo),
        "oidc-issuer": .text(\.oidc.oidcIssuer), "oidc-client": .text(\.oidc.oidcClient),
        "oidc-client-secret-file": .text(\.oidc.oidcClientSecretFile), "oidc-role": .list(\.oidc.oidcRole),
        "oidc-claim": .text(\.oidc.oidcClaim), "oidc-scope": .list(\.oidc.oidcScope),
        "oidc-host": .list(\.oidc.oidcHost), "oidc-name": .text(\.oidc.oidcName), "log": .text(\.log),
        "log-monitoring": .text(\.logMonitoring), "store": .text(\.store), "partitions": .number(\.partitions),
        "node-name": .text(\.nodeName), "cluster-key-file": .text(\.clusterKeyFile),
        "cluster-old-key-file": .text(\.clusterOldKeyFile), "retain-days": .number(\.retainDays),
        "confirm-retain-days": .number(\.confirmRetainDays), "body-memory": .number(\.bodyMemory),
        "settings-push": .number(\.settingsPush),
        "allow-reset": .bool(\.allowReset), "without-forwarding": .bool(\.withoutForwarding),
        "verbose": .bool(\.verbose),
    ]

    /// The ports that a workspace can listen on, and the days that it can keep events.
    static let ports = 0...65_535
    static let retention = 0...36_500

    private struct Value {
        var texts: [String]
        /// The origin of the value, for error messages.
        let origin: String
    }

    private var values: [String: Value] = [:]

    /// - Parameters:
    ///   - flags: the options of the command line.
    ///   - file: the configuration file; nil for none.
    init(flags: [String: [String]], environment: [String: String], file: String?) throws(Failure) {
        if let file { try read(file) }
        for (name, option) in Self.options {
            let variable = Self.variable(name)
            guard let text = environment[variable], !text.isEmpty else { continue }
            values[name] = Value(texts: [text], origin: variable)
            if case .list = option { values[name]?.texts = text.split(separator: ",").map(String.init) }
        }
        for (name, texts) in flags where !texts.isEmpty { values[name] = Value(texts: texts, origin: "--" + name) }
    }

    /// With the environment of this process.
    /// - Parameter config: the configuration file that the command line names.
    init(flags: [String: [String]], config: String?) throws(Failure) {
        let environment = ProcessInfo.processInfo.environment
        let file = config ?? environment[Self.variable("config")].flatMap { $0.isEmpty ? nil : $0 }
        try self.init(flags: flags, environment: environment, file: file)
    }

    /// - Parameters:
    ///   - document: the content of a configuration file.
    ///   - file: the name of the file, for error messages.
    init(_ document: JSONObject, named file: String) throws(Failure) { try read(document, file) }

    static func variable(_ name: String) -> String {
        "TRIBUTARY_" + name.uppercased().replacingOccurrences(of: "-", with: "_")
    }

    func text(_ name: String) -> String? { values[name]?.texts.first }

    func list(_ name: String) -> [String] { values[name]?.texts ?? [] }

    func number(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let value = values[name], let text = value.texts.first else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Failure("\(value.origin) is a number from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return number
    }

    func bool(_ name: String) throws(Failure) -> Bool {
        guard let value = values[name], let text = value.texts.first else { return false }
        switch text {
        case "true", "1", "yes": return true
        case "false", "0", "no": return false
        default: throw Failure("\(value.origin) is true or false, not \(text)")
        }
    }

    private mutating func read(_ file: String) throws(Failure) {
        guard let object = try InputFile.json(file).objectValue else { throw Failure("\(file) is not a JSON object") }
        try read(object, file)
    }

    private mutating func read(_ document: JSONObject, _ file: String) throws(Failure) {
        for (name, json) in document {
            let origin = "\(name) in \(file)"
            guard let option = Self.options[name] else {
                let names = Self.options.keys.sorted().joined(separator: ", ")
                throw Failure("\(origin) is not known; known are \(names)")
            }
            values[name] = Value(texts: try Self.texts(json, option, origin), origin: origin)
        }
    }

    private static func texts(_ json: JSON, _ option: Option, _ origin: String) throws(Failure) -> [String] {
        switch option {
        case .text:
            if let text = json.stringValue { return [text] }
            throw Failure("\(origin) is a text")
        case .number:
            if let number = json.intValue { return ["\(number)"] }
            throw Failure("\(origin) is a number")
        case .bool:
            if let bool = json.boolValue { return ["\(bool)"] }
            throw Failure("\(origin) is true or false")
        case .list:
            let texts = json.elements?.compactMap(\.stringValue)
            if let texts, texts.count == json.elements?.count { return texts }
            throw Failure("\(origin) is an array of texts")
        }
    }
}
