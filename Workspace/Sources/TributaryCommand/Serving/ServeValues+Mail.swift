import Foundation
import WorkspaceCore
import WorkspaceServer

extension ServeValues {
    /// The mail server; nil for none.
    /// - Throws: `Failure` when an option of it is wrong, or one is given without it. The login is not repeated.
    func mail() throws(Failure) -> MailSettings? {
        let others = ["smtp-security", "smtp-login-file", "smtp-authority", "mail-from"]
        guard let server = text("smtp-server") else {
            if let option = others.first(where: { text($0) != nil }) ?? (list("mail-to").isEmpty ? nil : "mail-to") {
                throw Failure("--\(option) is for mail, which needs --smtp-server")
            }
            return nil
        }
        let authority = text("smtp-authority").map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        if let authority { _ = try InputFile.read(authority) }
        let login = try text("smtp-login-file").map { path throws(Failure) in
            String(decoding: try InputFile.read(path), as: UTF8.self)
        }
        do throws(Refusal) {
            return try MailSettings(
                server: server, security: text("smtp-security"), login: login, authority: authority,
                from: text("mail-from"), to: list("mail-to"))
        } catch {
            throw Failure("mail cannot be sent: \(error.message.printable)")
        }
    }
}
