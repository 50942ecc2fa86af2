import TributaryJSON

/// An event with where it went, as text.
struct ConsentReport {
    private let event: JSON
    private let style: OutputStyle

    /// - Parameter event: as the server shows it.
    init(_ event: JSON, style: OutputStyle = .output) { (self.event, self.style) = (event, style) }

    var text: String { ([head, "  \(statement)"] + destinations).joined(separator: "\n") }

    private var head: String {
        let name = text("name").isEmpty ? "" : " \"\(text("name"))\""
        return style.bold("\(text("timestamp"))  \(text("type"))\(name)") + "  \(text("messageId"))"
    }

    private var statement: String {
        let consent = event["consent"]
        let since = consent?["since"]?.stringValue.map { ", since \($0.printable)" } ?? ""
        let control = consent?["globalPrivacyControl"]?.boolValue == true ? "asks for Global Privacy Control; " : ""
        guard let preferences = consent?["preferences"]?.objectValue else {
            return control.isEmpty ? "says nothing about consent" : "\(control)says nothing else\(since)"
        }
        let words = preferences.map { "\($0.key.printable) \($0.value.boolValue == true ? "yes" : "no")" }
        return "\(control)says: \(words.isEmpty ? "no category" : words.joined(separator: ", "))\(since)"
    }

    private var destinations: [String] {
        let list = event["destinations"]?.elements ?? []
        if list.isEmpty { return ["  its source has no destination"] }
        return list.map { destination in
            let name = destination["name"]?.stringValue?.printable ?? "?"
            let needs = destination["needs"]?.elements?.compactMap { $0.stringValue?.printable } ?? []
            let reason = destination["reason"]?.stringValue.map { ": \($0.printable)" } ?? ""
            let state = destination["state"]?.stringValue?.printable ?? "?"
            let shown = state == "sent" ? style.good(state) : state == "waiting" ? style.faint(state) : style.bad(state)
            let later =
                destination["changedSince"]?.boolValue == true && state == "not sent" ? " (by the present rules)" : ""
            return "  \(name)  \(shown)\(reason)\(later)"
                + (needs.isEmpty ? "" : "  needs \(needs.joined(separator: ", "))")
        }
    }

    private func text(_ name: String) -> String { event[name]?.stringValue?.printable ?? "" }
}
