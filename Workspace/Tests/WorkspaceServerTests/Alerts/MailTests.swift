import Foundation
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

/// The commands of the server to a mail server. Tests/Server/mail_test.py sends mail to a real one.
@Suite("Mail to operators") struct MailTests {
    private func settings(
        _ security: String? = nil, login: String? = nil, server: String = "mail.example.com",
        from: String? = "tributary@example.com", to: [String] = ["a@example.com", "b@example.com"]
    ) throws(Refusal) -> MailSettings {
        try MailSettings(server: server, security: security, login: login, from: from, to: to)
    }

    private func text(_ action: MailDialogue.Action) -> String {
        switch action {
        case .send(let bytes): String(decoding: bytes, as: UTF8.self)
        case .encrypt: "encrypt"
        case .accepted(let bytes, let text): "accepted \(text), \(String(decoding: bytes, as: UTF8.self))"
        case .failed(let reason): "failed: \(reason)"
        }
    }

    /// The command after each reply.
    private func said(_ settings: MailSettings, _ replies: [(Int, [String])], content: String = ".a\r\nb\r\n")
        -> [String]
    {
        var dialogue = MailDialogue(settings, content: Array(content.utf8))
        var said: [String] = []
        for (code, lines) in replies {
            let action = dialogue.take(.init(code: code, lines: lines))
            said.append(text(action))
            if action == .encrypt { said.append(text(dialogue.secured())) }
        }
        return said
    }

    @Test("A mail is sent over an encrypted connection, with the login behind the encryption, to each address")
    func dialogue() throws {
        let replies: [(Int, [String])] = [
            (220, ["hello"]), (250, ["mail", "STARTTLS"]), (220, ["go"]), (250, ["mail", "AUTH PLAIN"]), (235, [""]),
            (250, [""]), (250, [""]), (251, [""]), (354, [""]), (250, ["queued as 7"]),
        ]
        #expect(
            said(try settings(login: "me\nsecret\n"), replies) == [
                "EHLO localhost\r\n", "STARTTLS\r\n", "encrypt", "EHLO localhost\r\n",
                "AUTH PLAIN AG1lAHNlY3JldA==\r\n",
                "MAIL FROM:<tributary@example.com>\r\n", "RCPT TO:<a@example.com>\r\n", "RCPT TO:<b@example.com>\r\n",
                "DATA\r\n", "..a\r\nb\r\n.\r\n", "accepted 250 queued as 7, QUIT\r\n",
            ])
    }

    @Test("Without encryption nothing but a greeting is said, and a refusal ends it without the login")
    func refusals() throws {
        let hidden = try settings(login: "me\nsecret")
        #expect(
            said(hidden, [(220, [""]), (250, ["mail", "AUTH PLAIN"])])
                == ["EHLO localhost\r\n", "failed: the mail server offers no encryption (STARTTLS)"])
        let refused = said(
            hidden, [(220, [""]), (250, ["STARTTLS"]), (220, [""]), (250, [""]), (535, ["no \u{1B}[2J"])])
        #expect(refused.last == "failed: the mail server answered 535 no ?[2J")
        #expect(said(try settings("none"), [(554, ["no"])]) == ["failed: the mail server answered 554 no"])
        #expect(
            said(try settings("none"), [(220, [""]), (250, [""]), (250, [""]), (550, ["unknown"])]).last
                == "failed: the mail server answered 550 unknown")
    }

    @Test("Replies come in any pieces, and one that is too long or no reply is an error")
    func replies() throws {
        var replies = MailReplies()
        var found: [MailDialogue.Reply] = []
        for byte in "250-mail\r\n250-STARTTLS\r\n250 OK\r\n354\r\n".utf8 { found += try replies.take([byte]) }
        #expect(found == [.init(code: 250, lines: ["mail", "STARTTLS", "OK"]), .init(code: 354, lines: [""])])
        #expect(replies.isEmpty)
        for bad in [
            "HTTP/1.1 200 OK\r\n", "250-a\r\n251 b\r\n", "99 x\r\n", "2\r\n", "\r\n",
            String(repeating: "250-a\r\n", count: 101),
        ] {
            var replies = MailReplies()
            #expect(throws: MailReplies.Problem.malformed, "\(bad)") { try replies.take(bad.utf8) }
        }
        var long = MailReplies()
        #expect(throws: MailReplies.Problem.tooLong) {
            try long.take(Array(repeating: UInt8(ascii: "2"), count: 3_000))
        }
    }

    @Test("No character of a subject or a text begins a header, and long ones stay in short lines")
    func message() throws {
        let text = "é\r\nBcc: x@example.com\r\n.\r\n" + String(repeating: "ü€ ", count: 200)
        let message = MailMessage(subject: text, text: text, at: 1_700_000_000_000, id: "n-1")
        let lines = String(decoding: message.data(try settings()), as: UTF8.self).components(separatedBy: "\r\n")
        let end = try #require(lines.firstIndex(of: ""))
        let headers = lines[..<end].filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
        #expect(
            headers == [
                "From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type",
                "Content-Transfer-Encoding",
                "Auto-Submitted",
            ])
        #expect(lines.allSatisfy { $0.utf8.count <= 78 })
        #expect(lines.contains("Date: Tue, 14 Nov 2023 22:13:20 +0000"))
        let body = lines[(end + 1)...].joined()
        #expect(Data(base64Encoded: body).map { String(decoding: $0, as: UTF8.self) } == text)
        let words = lines.drop { !$0.hasPrefix("Subject: ") }.prefix {
            $0.hasPrefix("Subject: ") || $0.hasPrefix(" =?")
        }
        let decoded = words.map { line in
            let word = line.replacing("Subject: ", with: "").trimmingCharacters(in: .whitespaces)
            return Data(base64Encoded: String(word.dropFirst(10).dropLast(2))) ?? Data()
        }
        #expect(String(decoding: decoded.reduce(Data(), +), as: UTF8.self) == text)
    }

    @Test(
        "Settings that could not work, or that could end a command, are refused",
        arguments: [
            ("mail.example.com:0", "starttls", "a@b", "a@b", "smtp-server is a host"),
            ("mail.example.com:25:1", "starttls", "a@b", "a@b", "smtp-server is a host"),
            ("ma il", "starttls", "a@b", "a@b", "smtp-server is a host"),
            ("", "tls", "a@b", "a@b", "smtp-server is a host"),
            ("mail", "ssl", "a@b", "a@b", "smtp-security is one of"), ("mail", "tls", "a", "a@b", "a is no address"),
            ("mail", "tls", "a@b", "a@b>\r\nDATA", "is no address"), ("mail", "tls", "a@b", "a b@c", "is no address"),
            ("mail", "tls", "a@b", "é@c", "is no address"), ("mail", "tls", "a@b", "a@b@c", "is no address"),
        ])
    func wrong(server: String, security: String, from: String, to: String, reason: String) {
        let error = #expect(throws: Refusal.self) { try settings(security, server: server, from: from, to: [to]) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test("A login has two lines and is never repeated, nor sent without encryption")
    func logins() throws {
        for login in ["secret", "a\nsecret\nb", "\nsecret", "secret\n", "a\nsecret\n\n"] {
            let error = #expect(throws: Refusal.self) { try settings(login: login) }
            #expect(error?.message.contains("secret") == false)
        }
        #expect(throws: Refusal.self) { try settings("none", login: "a\nb") }
        #expect(try settings(login: "a\r\nb c\r\n").login == .init(user: "a", password: "b c"))
        #expect(try settings().port == 587)
        #expect(try settings("tls").port == 465)
        #expect(try settings("tls", server: "mail:2525").port == 2_525)
        #expect(throws: Refusal.self) { try settings(from: nil) }
        #expect(throws: Refusal.self) { try settings(to: []) }
    }
}
