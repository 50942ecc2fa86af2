import ArgumentParser
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Compares a data folder with this program before an upgrade.
struct UpgradeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Says before an upgrade whether this program reads a data folder, and what its first start changes.",
        discussion: """
            Run the new program with --check before you replace the old one. The command changes nothing, and the \
            workspace may run. It exits with 1 when this program cannot use the folder. The upgrade itself needs no \
            command: the first `tributary serve` of the new program brings the folder up to date.
            """)

    @Argument(help: "Data folder.", completion: .directory)
    var data: String

    @Flag(help: "Compare the formats.")
    var check = false

    @Flag(help: "Write the result as JSON.")
    var json = false

    func validate() throws {
        guard check else {
            throw ValidationError("give --check; the upgrade itself is the first start of the new program")
        }
    }

    func run() throws {
        try DataFailure.translated {
            let check = try UpgradeCheck(of: data)
            if json {
                var answer = check.json
                answer["version"] = .string(Workspace.version)
                print(answer)
            } else {
                for line in Self.lines(check) { print(line) }
            }
            guard check.isReadable else { throw ExitCode(1) }
        }
    }

    static func lines(_ check: UpgradeCheck) -> [String] {
        let parts = check.parts.map { part in
            let found = part.formats.isEmpty ? "none yet" : part.formats.map(String.init).joined(separator: ", ")
            let written = part.readable.upperBound
            return "\(part.name): format \(found); this program reads \(text(part.readable)) and writes \(written)"
        }
        guard check.isReadable else {
            return parts + check.refusals.map { "problem: \($0)" } + ["note: nothing was changed"]
        }
        guard check.changesFormat else {
            return parts + [
                "fine: the first start of this program changes no format",
                "fine: a step back to a program of these formats is possible, and loses nothing",
            ]
        }
        return parts + [
            "note: the first start of this program gives the folder a newer format, and the old program refuses it then",
            """
            note: a step back needs a backup of before (`tributary backup`); what came since the backup is lost with it, but \
            for events that `tributary export` of this program writes before, and `tributary import` sends to the old one
            """,
        ]
    }

    private static func text(_ formats: ClosedRange<Int>) -> String {
        formats.count == 1 ? "\(formats.lowerBound)" : "\(formats.lowerBound) to \(formats.upperBound)"
    }
}
