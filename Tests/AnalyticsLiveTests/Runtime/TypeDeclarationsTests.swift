import Foundation
import Testing
import TributaryJSON
import TributaryScript

@testable import AnalyticsLive

/// The TypeScript declarations, compared with the names that scripts have.
@Suite("TypeScript declarations")
struct TypeDeclarationsTests {
    private let declared: Declarations

    init() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = folder.appendingPathComponent("../../../Sources/AnalyticsLive/JavaScript/liveplugins.d.ts")
        declared = Declarations(try String(contentsOf: file, encoding: .utf8))
    }

    /// The value of an expression in a bundle.
    private func value(of expression: String) throws -> JSON {
        let world = try LiveWorld("analytics.track('told', { value: \(expression) })")
        return try #require(world.bridge.calls.first?["properties"]?["value"])
    }

    private func names(_ expression: String) throws -> Set<String> {
        Set(try #require(try value(of: expression).elements).compactMap(\.stringValue))
    }

    @Test("The declarations have exactly the names that scripts get")
    func globals() throws {
        let bare = try ScriptEngine()
        let own = try bare.evaluate("Object.getOwnPropertyNames(globalThis)", name: "bare.js")
        guard case .json(let list) = own else { throw ScriptError(.badValue, "\(own)") }
        let all = try #require(try JSON.parse(list).elements)
        let language = Set(all.compactMap(\.stringValue)).subtracting([
            "console", "TextEncoder", "TextDecoder", "URLSearchParams", "crypto", "atob", "btoa", "structuredClone",
        ])
        let runtime = try names("Object.getOwnPropertyNames(globalThis)").subtracting(language)
        // A bundle defines this name itself, in its first line.
        #expect(declared.values["tables"]?.arguments == ["get": 2])
        #expect(runtime == Set(declared.values.keys).subtracting(["tables"]))
        #expect(runtime.isSuperset(of: ["signals", "RawSignal", "SignalType", "EventType", "analytics", "LivePlugin"]))
    }

    @Test("Constants have the declared members and values")
    func constants() throws {
        var checked: Set<String> = []
        for (name, declaration) in declared.values where declaration.hasLiterals {
            var expected = JSONObject()
            for (member, literal) in declaration.members { expected[member] = try JSON.parse(literal) }
            #expect(try value(of: name) == .object(expected), "\(name)")
            checked.insert(name)
        }
        #expect(
            checked.isSuperset(of: ["SignalType", "NavigationAction", "NetworkAction", "LocalDataAction", "EventType"]))
    }

    /// An expression that makes an object of each class. Members are looked for in the prototype and in the object.
    private static let made = [
        "RawSignal": "new RawSignal('userDefined', {})", "NavigationSignal": "new NavigationSignal('page', 'a')",
        "InteractionSignal": "new InteractionSignal('a', 'b', {})",
        "NetworkSignal": "new NetworkSignal('request', 'a', {})",
        "LocalDataSignal": "new LocalDataSignal('saved', 'a', {})",
        "InstrumentationSignal": "new InstrumentationSignal({ type: 'track' })", "Signals": "new Signals()",
        "TextEncoder": "new TextEncoder()", "TextDecoder": "new TextDecoder()",
        "URLSearchParams": "new URLSearchParams()", "Analytics": "analytics", "LivePlugin": "new LivePlugin('before')",
    ]

    @Test("Classes have the declared members")
    func classes() throws {
        #expect(Set(declared.values.filter { $0.value.isClass }.keys) == Set(Self.made.keys))
        for (name, expression) in Self.made {
            let members = try names(
                """
                (() => {
                    const made = \(expression)
                    const found = Object.getOwnPropertyNames(made)
                    for (let type = \(name); type.prototype; type = Object.getPrototypeOf(type))
                        found.push(...Object.getOwnPropertyNames(type.prototype))
                    return found.filter(name => name !== "constructor")
                })()
                """)
            var expected: Set<String> = []
            var type: String? = name
            while let known = type.flatMap({ declared.values[$0] }) {
                expected.formUnion(known.members.keys)
                type = known.base
            }
            #expect(members == expected.subtracting(["constructor"]), "\(name)")
        }
    }

    @Test("The data of each kind of signal is declared, for the app's signals and for those of scripts")
    func data() throws {
        let app: [String: any RawSignal] = [
            "NavigationSignal": NavigationSignal(currentScreen: "b", previousScreen: "a"),
            "InteractionSignal": InteractionSignal(component: "a", title: "b", data: ["c": 1]),
            "NetworkSignal": NetworkSignal(
                data: NetworkData(
                    action: .response, url: "a", statusCode: 200, data: ["content": 1], method: "GET",
                    contentType: "application/json", ok: true, requestId: "1")),
            "LocalDataSignal": LocalDataSignal(action: .saved, identifier: "a", data: ["b": 1]),
            "InstrumentationSignal": InstrumentationSignal(data: InstrumentationData(rawEvent: ["type": "track"])),
        ]
        for (name, signal) in app {
            let declaration = try #require(declared.values[name])
            let written = try #require(try signal.json()["data"]?.objectValue).map(\.key)
            let others = ["InteractionSignal": "target", "NetworkSignal": "body"][name].map { [$0] } ?? []
            #expect(Set(written + others) == declaration.data, "\(name) of the app")
            let made = try names("Object.getOwnPropertyNames((\(Self.made[name] ?? "")).data)")
            #expect(made.isSubset(of: declaration.data), "\(name) of a script")
            #expect(declaration.kind == "\"\(signal.type.rawValue)\"")
        }
    }

    @Test("Methods of signals take as many arguments as declared")
    func arguments() throws {
        let signals = try #require(declared.values["Signals"])
        for (method, count) in ["add": 1, "getNextIndex": 0, "find": 3, "findAndApply": 4] {
            #expect(try value(of: "Signals.prototype.\(method).length").intValue == count)
            #expect(signals.arguments[method] == count, "\(method)")
        }
    }
}

/// The values that a file of declarations declares, as far as this file is written.
private struct Declarations {
    struct Value {
        var isClass = false
        var base: String?
        /// Members by their names, with what stands behind the colon.
        var members: [String: String] = [:]
        /// How many arguments methods take.
        var arguments: [String: Int] = [:]
        /// The members of the data of a signal, and its type.
        var data: Set<String> = []
        var kind: String?

        /// Whether every member is a literal.
        var hasLiterals: Bool {
            !isClass && !members.isEmpty
                && members.values.allSatisfy { $0.hasPrefix("\"") || $0 == "true" || $0 == "false" }
        }
    }

    private(set) var values: [String: Value] = [:]

    init(_ text: String) {
        let code = Self.withoutComments(text)
        for part in code.components(separatedBy: "\ndeclare ").dropFirst() {
            let words = part.split(maxSplits: 2, whereSeparator: \.isWhitespace)
            guard words.count > 1 else { continue }
            let name = words[1].prefix { $0.isLetter }
            var value = Value(isClass: words[0] == "class")
            let body = Self.body(part, isClass: value.isClass)
            if value.isClass { Self.readHead(part, into: &value) }
            for statement in Self.statements(body) { Self.readMember(statement, into: &value) }
            values[String(name)] = value
        }
    }

    private static func withoutComments(_ text: String) -> String {
        var text = text
        while let start = text.range(of: "/*"), let end = text.range(of: "*/", range: start.upperBound..<text.endIndex)
        {
            text.removeSubrange(start.lowerBound..<end.upperBound)
        }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }.joined(separator: "\n")
    }

    /// What stands between the braces of a declaration; those of a class open at the end of a line.
    private static func body(_ part: String, isClass: Bool) -> Substring {
        let open = isClass ? part.range(of: "> {\n") ?? part.range(of: " {\n") : part.range(of: ": {\n")
        guard let open, let close = part.range(of: "\n}", range: open.upperBound..<part.endIndex) else { return "" }
        return part[open.upperBound..<close.lowerBound]
    }

    /// The base of a class, and what it says of the base's data.
    private static func readHead(_ part: String, into value: inout Value) {
        guard let start = part.range(of: " extends RawSignal<{"),
            let end = part.range(of: "}", range: start.upperBound..<part.endIndex)
        else { return }
        value.base = "RawSignal"
        for member in part[start.upperBound..<end.lowerBound].split(separator: ";") {
            let name = member.trimmingCharacters(in: .whitespacesAndNewlines).prefix { $0.isLetter }
            if !name.isEmpty { value.data.insert(String(name)) }
        }
        value.kind = part[end.upperBound...].drop { $0 != "\"" }.split(separator: ">").first.map(String.init)
    }

    /// Parts that end with a semicolon, outside of parentheses and braces.
    private static func statements(_ body: Substring) -> [String] {
        var (all, current, depth) = ([String](), "", 0)
        for letter in body {
            if "({".contains(letter) { depth += 1 }
            if ")}".contains(letter) { depth -= 1 }
            if letter == ";", depth == 0 {
                all.append(current.trimmingCharacters(in: .whitespacesAndNewlines))
                current = ""
            } else {
                current.append(letter)
            }
        }
        return all
    }

    private static func readMember(_ statement: String, into value: inout Value) {
        let text = statement.hasPrefix("readonly ") ? String(statement.dropFirst("readonly ".count)) : statement
        let name = String(text.prefix { $0.isLetter })
        guard !name.isEmpty else { return }
        let rest = text.dropFirst(name.count)
        if rest.hasPrefix("(") {
            value.members[name] = "method"
            value.arguments[name] = count(of: rest.dropFirst())
        } else {
            value.members[name] = rest.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// The arguments up to the parenthesis that closes them.
    private static func count(of text: Substring) -> Int {
        var (depth, commas, isEmpty) = (0, 0, true)
        for letter in text {
            if letter == ")", depth == 0 { break }
            if "({<[".contains(letter) { depth += 1 }
            if ")}]".contains(letter) { depth -= 1 }
            if letter == ",", depth == 0 { commas += 1 }
            if !letter.isWhitespace { isEmpty = false }
        }
        return isEmpty ? 0 : commas + 1
    }
}
