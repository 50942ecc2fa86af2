import Foundation
import WorkspaceServer

/// The output of `serve` at its start. Each line is written at once, also to a pipe.
actor Announcement {
    private var newToken: String?

    /// - Parameter certificate: the certificate that clients have to trust, if there is one.
    func opened(_ workspace: Workspace, certificate: String?) {
        newToken = workspace.newAdminToken
        say("data in \(workspace.dataFolder)")
        for key in workspace.writeKeys { say("write key \(key)") }
        if let certificate { say("certificate for development \(certificate)") }
    }

    /// The token is printed now and not before, because a workspace that cannot listen has stored none.
    func listening(_ address: Workspace.Address) {
        if let newToken { say("admin token \(newToken)") }
        say("listening on \(address.url)")
        guard let newToken else { return }
        say("log in at \(address.url)/login#\(newToken)")
        say("the admin token is shown only now; keep it for the commands and the page")
    }

    /// When the reader has gone, as after `head -1`, the server goes on.
    private func say(_ text: String) {
        // A closed output must not end the server.
        try? FileHandle.standardOutput.write(contentsOf: Data("tributary: \(text)\n".utf8))
    }
}
