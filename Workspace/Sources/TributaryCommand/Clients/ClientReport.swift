import TributaryJSON

/// The findings in the folder of a client.
struct ClientReport {
    enum Kind: String { case fine, note, problem }

    struct Finding: Equatable {
        let kind: Kind
        let text: String
    }

    let folder: ClientFolder
    private(set) var findings: [Finding] = []
    /// Values for programs.
    var facts: JSONObject = [:]

    init(_ folder: ClientFolder) { self.folder = folder }

    mutating func add(_ kind: Kind, _ text: String) { findings.append(Finding(kind: kind, text: text)) }

    var hasProblems: Bool { findings.contains { $0.kind == .problem } }

    /// A line for each finding, below the name of the client.
    var text: String {
        let head = "client \(folder.writeKey.printable) in \(folder.path.printable)"
        return ([head] + findings.map { "\($0.kind.rawValue): \($0.text.printable)" }).joined(separator: "\n")
    }

    var json: JSON {
        var json: JSON = ["writeKey": .string(folder.writeKey), "folder": .string(folder.path)]
        for (name, value) in facts { json[name] = value }
        json["findings"] = .array(
            findings.map { ["kind": .string($0.kind.rawValue), "text": .string($0.text)] })
        return json
    }
}
