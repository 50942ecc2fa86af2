import ArgumentParser
import TributaryJSON

/// Commands for saved questions.
struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view",
        abstract: "Saves questions of the page under a name, and orders those of the board.",
        subcommands: [ViewList.self, ViewShow.self, ViewSave.self, ViewRemove.self, ViewLink.self])

    /// A question on one line.
    static func line(_ view: JSON) -> String {
        func text(_ member: String) -> String { view[member]?.stringValue?.printable ?? "" }
        let style = OutputStyle.output
        let board = view["board"]?.intValue.map { "  board \($0)" } ?? ""
        let owner = view["owner"]?.stringValue?.printable ?? "admin token"
        return "\(style.bold(text("name")))  \(text("link"))  by \(owner)\(board)"
    }
}
