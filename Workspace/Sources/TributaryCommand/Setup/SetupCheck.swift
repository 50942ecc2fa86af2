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
        do {
            // Port 0 is any free port, so this is in the way of no other program.
            let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .bind(host: text, port: 0).get()
            try await channel.close()
            return text
        } catch is SocketAddressError.UnknownHost {
            throw Failure("there is no host \(text.printable)")
        } catch is SocketAddressError {
            throw Failure("there is no host \(text.printable)")
        } catch {
            throw Failure("\(text.printable) is no address of this machine: \(ErrorReason.text(error))")
        }
    }

    /// A port that clients can know. When a program listens on it, there is only a note, because that may be an earlier
    /// workspace.
    static func port(_ text: String, of host: String) async throws(Failure) -> Int {
        guard let port = try number("port", text, ServeValues.ports), port > 0 else {
            throw Failure("a port is a number from 1 to 65535: with 0, it would be another one at each start")
        }
        if await isInUse(host, port) {
            Console.error(
                "note: a program listens on port \(port) of \(host.printable) now; `serve` needs the port free")
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

    /// Whether a program listens there. To listen there for the test could keep another program from it.
    private static func isInUse(_ host: String, _ port: Int) async -> Bool {
        do {
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(.seconds(2)).connect(host: host, port: port).get()
            try await channel.close()
            return true
        } catch {
            return false
        }
    }
}
