import Foundation
import WorkspaceServer

/// What `serve` says on the standard output; each line is there at once, also in a pipe.
struct Announcement: Sendable {
    func opened(_ workspace: Workspace) {
        say("data in \(workspace.dataFolder)")
        for key in workspace.writeKeys { say("write key \(key)") }
    }

    func listening(_ address: Workspace.Address) async { say("listening on \(address.url)") }

    /// A reader that has gone, as `head -1` does, is no reason to stop serving.
    private func say(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data("tributary: \(text)\n".utf8))
    }
}
