/// The names and texts that a script writes, outside of comments.
///
/// A review takes candidates from here; the engine then says what they are.
struct ScriptNames {
    /// A name or a text, with the line of its first use.
    struct Place: Hashable {
        let name: String
        let line: Int
    }

    /// A member of a constant, such as `SignalType.Interaction`.
    struct Constant: Hashable {
        let object: String
        let member: String
        let line: Int
    }

    /// The largest number of texts that are kept, and the letters of the longest.
    private static let (mostTexts, letters) = (60, 100)
    private static let constants: Set<String> = [
        "SignalType", "NavigationAction", "NetworkAction", "LocalDataAction", "EventType", "LivePluginType",
        "UpdateType",
    ]

    /// The names after `class`.
    private(set) var classes: [Place] = []
    /// The names after `function`, `const`, `let` and `var`.
    private(set) var declarations: [Place] = []
    private(set) var constants: [Constant] = []
    /// Different texts in the order of their first use.
    private(set) var texts: [Place] = []
    /// The tables that `tables.get` is asked for by a text, each time.
    private(set) var tables: [Place] = []
    /// The variables that get a new object of each class.
    private(set) var variables: [String: [String?]] = [:]
    private var words: [String: Int] = [:]
    private var members: [String: Int] = [:]
    private var tableReads = 0
    private var lines: [String: Int] = [:]

    init(_ source: String) {
        var scan = ScriptScan(source)
        var last: [ScriptScan.Token] = []
        while let token = scan.next() {
            take(token, after: last)
            last = Array((last + [token]).suffix(3))
        }
    }

    private mutating func take(_ token: ScriptScan.Token, after last: [ScriptScan.Token]) {
        switch token {
        case .text(let text, let line):
            if Self.isTableRead(last) { tables.append(Place(name: text, line: line)) }
            guard texts.count < Self.mostTexts, !text.isEmpty, text.count <= Self.letters,
                !texts.contains(where: { $0.name == text })
            else { return }
            texts.append(Place(name: text, line: line))
        case .member(let name, let line):
            members[name, default: 0] += 1
            if name == "get", Self.word(last.last) == "tables" { tableReads += 1 }
            guard case .word(let object, _)? = last.last, Self.constants.contains(object) else { return }
            constants.append(Constant(object: object, member: name, line: line))
        case .word(let name, let line):
            words[name, default: 0] += 1
            lines[name] = lines[name] ?? line
            switch Self.word(last.last) {
            case "class": classes.append(Place(name: name, line: line))
            case "function", "const", "let", "var": declarations.append(Place(name: name, line: line))
            case "new": variables[name, default: []].append(Self.variable(before: last))
            default: break
            }
        }
    }

    /// The variable in `const name = new`; nil when the object goes elsewhere.
    private static func variable(before last: [ScriptScan.Token]) -> String? {
        guard last.count == 3, ["const", "let", "var"].contains(word(last[0])) else { return nil }
        return word(last[1])
    }

    private static func word(_ token: ScriptScan.Token?) -> String? {
        guard case .word(let word, _)? = token else { return nil }
        return word
    }

    /// Whether a text stands behind `tables.get(`.
    private static func isTableRead(_ last: [ScriptScan.Token]) -> Bool {
        guard case .member("get", _)? = last.last, last.count > 1 else { return false }
        return word(last[last.count - 2]) == "tables"
    }

    /// Whether the word `tables` is only there where a table is read. Then it is not a name of the script's own.
    var hasNoOtherTables: Bool { words["tables", default: 0] == tableReads }

    /// How often a name stands in the script, as a word or as a member.
    func uses(of name: String) -> Int { words[name, default: 0] + members[name, default: 0] }

    /// Whether the script has a name only where it declares it, so that nothing calls it.
    func isOnlyDeclared(_ name: String) -> Bool { uses(of: name) <= 1 && !texts.contains { $0.name == name } }

    /// Whether each object of a class goes to a variable that the script does not use any more.
    func losesObjects(of name: String) -> Bool {
        let variables = variables[name] ?? []
        return !variables.isEmpty && variables.allSatisfy { $0.map { uses(of: $0) == 1 } ?? false }
    }

    /// The line of the first use as a word.
    func line(of name: String) -> Int? { lines[name] }
}
