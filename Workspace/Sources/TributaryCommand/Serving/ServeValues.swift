import Foundation
import TributaryJSON

/// The options of `serve`, from flags, environment and file.
///
/// A flag overrides the environment, the environment the configuration file, and the file the default. A list is taken
/// from one of them, not gathered from all.
struct ServeValues {
    enum Kind { case text, number, bool, list }

    /// Every option by its name, which is the name of the flag. In the environment it is `TRIBUTARY_` and the name in
    /// capital letters with underscores; in the file it is the name itself.
    static let options: [String: Kind] = [
        "host": .text, "port": .number, "data": .text, "write-key": .list, "admin-token-file": .text,
        "allowed-host": .list, "trusted-proxy": .list, "public-url": .text, "metrics-token-file": .text,
        "files-folder": .text, "web-libraries": .text, "access-log": .bool, "tls-certificate": .text, "tls-key": .text,
        "tls-development": .bool, "notice-url": .text, "log": .text, "log-monitoring": .text,
        "store": .text,
        "partitions": .number, "node-name": .text, "cluster-key-file": .text, "cluster-old-key-file": .text,
        "retain-days": .number, "confirm-retain-days": .number, "body-memory": .number, "allow-reset": .bool,
        "without-forwarding": .bool,
        "verbose": .bool,
    ]

    /// The ports that a workspace can listen on, and the days that it can keep events.
    static let ports = 0...65_535
    static let retention = 0...36_500

    private struct Value {
        let texts: [String]
        /// The origin of the value, for error messages.
        let origin: String
    }

    private var values: [String: Value] = [:]

    /// - Parameters:
    ///   - flags: the options of the command line.
    ///   - file: the configuration file; nil for none.
    init(flags: [String: [String]], environment: [String: String], file: String?) throws(Failure) {
        if let file { try read(file) }
        for (name, kind) in Self.options {
            let variable = Self.variable(name)
            guard let text = environment[variable], !text.isEmpty else { continue }
            let texts = kind == .list ? text.split(separator: ",").map(String.init) : [text]
            values[name] = Value(texts: texts, origin: variable)
        }
        for (name, texts) in flags where !texts.isEmpty { values[name] = Value(texts: texts, origin: "--" + name) }
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
            guard let kind = Self.options[name] else {
                let names = Self.options.keys.sorted().joined(separator: ", ")
                throw Failure("\(origin) is not known; known are \(names)")
            }
            values[name] = Value(texts: try Self.texts(json, kind, origin), origin: origin)
        }
    }

    private static func texts(_ json: JSON, _ kind: Kind, _ origin: String) throws(Failure) -> [String] {
        switch kind {
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
