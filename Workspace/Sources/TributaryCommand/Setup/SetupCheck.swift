import Foundation
import NIOCore
import NIOPosix
import WorkspaceCore
import WorkspaceServer

/// Reads an answer for a new workspace, or says why it cannot be used.
enum SetupCheck {
    /// The full path of a folder that is there or can be made.
    static func folder(_ text: String) throws(Failure) -> String {
        let path = try path(text)
        var above = path
        while !FileManager.default.fileExists(atPath: above), above != "/" {
            above = (above as NSString).deletingLastPathComponent
        }
        guard InputFile.isFolder(above) else { throw Failure("\(above.printable) is no folder") }
        guard access(above, W_OK | X_OK) == 0 else {
            throw Failure("you may not write into \(above.printable): \(SystemReason.text(code: errno))")
        }
        return path
    }

    /// The full path of a file that can be read.
    static func file(_ text: String) throws(Failure) -> String {
        let path = try path(text)
        if let reason = SystemReason.reading(path) { throw Failure("\(path.printable) cannot be read: \(reason)") }
        return path
    }

    private static func path(_ text: String) throws(Failure) -> String {
        guard !text.isEmpty else { throw Failure("a path has at least one character") }
        return URL(fileURLWithPath: (text as NSString).expandingTildeInPath).standardizedFileURL.path
    }

    /// An address or a name of this machine.
    static func host(_ text: String) async throws(Failure) -> String {
        let error = await bindingError(text, port: 0)
        switch error {
        case nil: return text
        case is SocketAddressError.UnknownHost, is SocketAddressError:
            throw Failure("there is no host \(text.printable)")
        case .some(let error):
            throw Failure("\(text.printable) is no address of this machine: \(SystemReason.text(error))")
        }
    }

    /// A port that clients can know. A port that cannot be used now only leads to a warning, because it may be free, or
    /// allowed to another user, when the workspace starts.
    static func port(_ text: String, of host: String) async throws(Failure) -> Int {
        guard let port = try number("port", text, ServeValues.ports), port > 0 else {
            throw Failure("a port is a number from 1 to 65535: with 0, it would be another one at each start")
        }
        if let error = await bindingError(host, port: port) {
            Console.error("note: port \(port) on \(host.printable) cannot be used now: \(SystemReason.text(error))")
        }
        return port
    }

    static func https(_ text: String) throws(Failure) -> HTTPSChoice {
        guard let choice = HTTPSChoice(rawValue: text.lowercased()) else {
            throw Failure(
                "answer \(HTTPSChoice.allCases.map(\.rawValue).joined(separator: ", ")), not \(text.printable)")
        }
        return choice
    }

    static func retainDays(_ text: String) throws(Failure) -> Int {
        try number("retain-days", text, ServeValues.retention) ?? 0
    }

    private static func number(_ name: String, _ text: String, _ range: ClosedRange<Int>) throws(Failure) -> Int? {
        try ServeValues(flags: [name: [text]], environment: [:], file: nil).number(name, in: range)
    }

    /// Listens at the address for a moment.
    private static func bindingError(_ host: String, port: Int) async -> (any Error)? {
        do {
            let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1).bind(host: host, port: port).get()
            try await channel.close()
            return nil
        } catch {
            return error
        }
    }
}
