import Foundation
import WorkspaceCore
import WorkspaceServer

/// The output of `serve` at its start. Each line is written at once, also to a pipe.
actor Announcement {
    /// The address under which people open the page; nil for the address of this machine.
    private let consoleURL: String?
    /// Where the admin token comes from, for people.
    private let tokenSource: String
    private var newToken: String?

    init(consoleURL: String?, tokenSource: String) { (self.consoleURL, self.tokenSource) = (consoleURL, tokenSource) }

    /// - Parameter certificate: the certificate that clients have to trust, if there is one.
    func opened(_ workspace: Workspace, certificate: String?) {
        newToken = workspace.newAdminToken
        say("data in \(workspace.dataFolder)")
        for key in workspace.writeKeys { say("write key \(key)") }
        if let certificate { say("certificate for development \(certificate)") }
        guard workspace.replacedAdminToken else { return }
        say(
            "the admin token of \(tokenSource) replaced the one of this folder; the old one and all logins are not valid any "
                + "more. To go back, put the old token there and start again; without a token there, a start keeps the one "
                + "of the folder")
    }

    /// The token is printed now and not before, because a workspace that cannot listen has stored none.
    func listening(_ address: Workspace.Address) {
        if let newToken { say("admin token \(newToken)") }
        say("listening on \(address.url)")
        let page = consoleURL ?? address.localURL
        guard let newToken else { return say("log in at \(page)/login") }
        say("log in at \(page)/login#\(newToken)")
        say("the admin token is shown only now; keep it for the commands and the page")
    }

    /// When the reader has gone, as after `head -1`, the server goes on.
    private func say(_ text: String) {
        // A closed output must not end the server.
        try? FileHandle.standardOutput.write(contentsOf: Data("tributary: \(text)\n".utf8))
    }
}
