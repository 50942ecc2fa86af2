import Foundation
import WorkspaceServer

/// What `serve` says on the standard output; each line is there at once, also in a pipe.
actor Announcement {
    private var newToken: String?

    /// - Parameter certificate: the file that clients must be told to trust, if there is one.
    func opened(_ workspace: Workspace, certificate: String?) {
        newToken = workspace.newAdminToken
        say("data in \(workspace.dataFolder)")
        for key in workspace.writeKeys { say("write key \(key)") }
        if let certificate { say("certificate for development \(certificate)") }
    }

    /// The token comes now and not before: a workspace that cannot listen has none.
    func listening(_ address: Workspace.Address) {
        if let newToken { say("admin token \(newToken)") }
        say("listening on \(address.url)")
        guard let newToken else { return }
        say("log in at \(address.url)/login#\(newToken)")
        say("the admin token is shown only now; keep it for the commands and the page")
    }

    /// A reader that has gone, as `head -1` does, is no reason to stop serving.
    private func say(_ text: String) {
        // A closed output must not end the server.
        try? FileHandle.standardOutput.write(contentsOf: Data("tributary: \(text)\n".utf8))
    }
}
