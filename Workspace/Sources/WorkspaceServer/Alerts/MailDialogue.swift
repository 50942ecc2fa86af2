import Foundation

/// The dialogue of the server with a mail server (RFC 5321), without the connection.
///
/// A pure value: it takes replies and says what to do next. Nothing that an operator keeps secret is in a reason.
struct MailDialogue: Sendable {
    /// A reply of the mail server: its code, and the texts of its lines.
    struct Reply: Sendable, Equatable {
        let code: Int
        let lines: [String]
    }

    enum Action: Sendable, Equatable {
        case send([UInt8])
        /// Encrypt the connection; then `secured()` goes on.
        case encrypt
        /// The mail is accepted; the bytes end the connection.
        case accepted([UInt8], String)
        case failed(String)
    }

    private enum State {
        case greeting, hello, encryption, helloAgain, login, sender, receiver(Int), data, content, over
    }

    private let settings: MailSettings
    private let content: [UInt8]
    private var state = State.greeting

    /// - Parameter content: the mail, of lines that end with CR and LF.
    init(_ settings: MailSettings, content: [UInt8]) { (self.settings, self.content) = (settings, content) }

    mutating func take(_ reply: Reply) -> Action {
        switch state {
        case .greeting: return step(reply, 220, .hello, Self.line("EHLO localhost"))
        case .hello:
            guard settings.security == .startTLS else { return begin(after: reply) }
            guard reply.code == 250 else { return fail(reply) }
            guard reply.lines.contains(where: { $0.uppercased() == "STARTTLS" }) else {
                return fail("the mail server offers no encryption (STARTTLS)")
            }
            return step(reply, 250, .encryption, Self.line("STARTTLS"))
        case .encryption:
            guard reply.code == 220 else { return fail(reply) }
            return .encrypt
        case .helloAgain: return begin(after: reply)
        case .login: return step(reply, 235, .sender, Self.line("MAIL FROM:<\(settings.from)>"))
        case .sender: return step(reply, 250, .receiver(0), receiver(0))
        case .receiver(let index):
            // 251 means that the server passes the mail on.
            guard [250, 251].contains(reply.code) else { return fail(reply) }
            guard index + 1 < settings.to.count else { return step(reply, reply.code, .data, Self.line("DATA")) }
            return step(reply, reply.code, .receiver(index + 1), receiver(index + 1))
        case .data: return step(reply, 354, .content, dotted + Self.line("."))
        case .content:
            guard reply.code == 250 else { return fail(reply) }
            state = .over
            return .accepted(Self.line("QUIT"), Self.text(reply))
        case .over: return fail("the mail server said more than it was asked")
        }
    }

    /// The connection is encrypted now.
    mutating func secured() -> Action {
        state = .helloAgain
        return .send(Self.line("EHLO localhost"))
    }

    /// Logs in when there is a login, and names the sender.
    private mutating func begin(after reply: Reply) -> Action {
        guard let login = settings.login else {
            return step(reply, 250, .sender, Self.line("MAIL FROM:<\(settings.from)>"))
        }
        let token = Data([0] + Array(login.user.utf8) + [0] + Array(login.password.utf8)).base64EncodedString()
        return step(reply, 250, .login, Self.line("AUTH PLAIN \(token)"))
    }

    private func receiver(_ index: Int) -> [UInt8] { Self.line("RCPT TO:<\(settings.to[index])>") }

    /// The content, in which no line ends it.
    private var dotted: [UInt8] {
        var (bytes, isStart) = ([UInt8](), true)
        for byte in content {
            if isStart, byte == UInt8(ascii: ".") { bytes.append(byte) }
            bytes.append(byte)
            isStart = byte == UInt8(ascii: "\n")
        }
        return bytes
    }

    private mutating func step(_ reply: Reply, _ wanted: Int, _ next: State, _ bytes: [UInt8]) -> Action {
        guard reply.code == wanted else { return fail(reply) }
        state = next
        return .send(bytes)
    }

    private mutating func fail(_ reply: Reply) -> Action { fail("the mail server answered \(Self.text(reply))") }

    private mutating func fail(_ reason: String) -> Action {
        state = .over
        return .failed(reason)
    }

    private static func text(_ reply: Reply) -> String {
        let words = reply.lines.joined(separator: " ").unicodeScalars.map { $0.isASCII && $0.value >= 0x20 ? $0 : "?" }
        return "\(reply.code) \(String(String.UnicodeScalarView(words)).prefix(200))"
    }

    private static func line(_ text: String) -> [UInt8] { Array((text + "\r\n").utf8) }
}

/// Puts the lines of replies together.
struct MailReplies: Sendable {
    enum Problem: Error { case tooLong, malformed }

    private static let lineBytes = 2_048
    private static let replyLines = 100

    private var line: [UInt8] = []
    private var lines: [String] = []
    private var code: Int?

    /// Whether bytes wait that are no whole reply.
    var isEmpty: Bool { line.isEmpty && lines.isEmpty }

    /// Takes bytes, and gives the replies that are whole now.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(Problem) -> [MailDialogue.Reply] {
        var replies: [MailDialogue.Reply] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                guard line.count <= Self.lineBytes else { throw .tooLong }
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if let reply = try endLine() { replies.append(reply) }
        }
        return replies
    }

    private mutating func endLine() throws(Problem) -> MailDialogue.Reply? {
        let text = String(decoding: line, as: UTF8.self)
        line = []
        guard let number = Int(text.utf8.prefix(3).map { String(UnicodeScalar($0)) }.joined()),
            (200...599).contains(number),
            code.map({ $0 == number }) ?? true, lines.count < Self.replyLines
        else { throw .malformed }
        let isMore = text.utf8.dropFirst(3).first == UInt8(ascii: "-")
        lines.append(String(decoding: text.utf8.dropFirst(4), as: UTF8.self))
        code = number
        guard !isMore else { return nil }
        defer { (lines, code) = ([], nil) }
        return MailDialogue.Reply(code: number, lines: lines)
    }
}
