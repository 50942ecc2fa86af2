import Foundation
import Synchronization

/// A disk for the data of one server, which can be full for a while.
///
/// It is a file system in memory. Only processes in its mount namespace see it. It disappears with the last of them, so
/// nothing remains on the machine. It needs no rights where the system lets users make namespaces.
public final class EngineDisk: Sendable {
    private let shell: Process
    private let commands: FileHandle
    private let answers: FileHandle
    private let turn = Mutex(())

    /// Makes a disk in a folder.
    /// - Parameters:
    ///   - folder: an existing folder. Other processes see it empty.
    ///   - megabytes: the size. Only used space takes memory.
    /// - Throws: `EngineProcess.Failure` when the system does not allow it.
    public init(at folder: String, megabytes: Int) throws {
        shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        let own = ["--mount", "--propagation", "private"] + (Self.isRoot ? [] : ["--user", "--map-root-user"])
        shell.arguments = own + ["bash", "-c", Self.script, "disk", folder, "\(megabytes)"]
        let (input, output) = (Pipe(), Pipe())
        (shell.standardInput, shell.standardOutput) = (input, output)
        (commands, answers) = (input.fileHandleForWriting, output.fileHandleForReading)
        try shell.run()
        guard try answer() == "done" else {
            throw EngineProcess.Failure(description: "a file system in memory cannot be mounted here")
        }
    }

    deinit { try? commands.close() }

    /// Shrinks the disk to its content, so nothing more can be written.
    public func fill() throws { try ask("fill") }

    /// Gives the disk its size back.
    public func empty() throws { try ask("empty") }

    /// A command that runs another one in the disk's namespace.
    func entering(_ command: [String], in folder: String) -> [String] {
        let number = shell.processIdentifier
        let user = Self.isRoot ? [] : ["--user=/proc/\(number)/ns/user", "--preserve-credentials"]
        return ["/usr/bin/nsenter"] + user + ["--mount=/proc/\(number)/ns/mnt", "--"]
            + ["bash", "-c", "cd \"$1\" && shift && exec \"$@\"", "bash", folder] + command
    }

    private func ask(_ command: String) throws {
        try turn.withLock { _ in
            try commands.write(contentsOf: Data("\(command)\n".utf8))
            guard try answer() == "done" else {
                throw EngineProcess.Failure(description: "the disk of a server cannot be changed: \(command)")
            }
        }
    }

    private func answer() throws -> String {
        var line: [UInt8] = []
        while let byte = try answers.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    private static var isRoot: Bool { getuid() == 0 }

    /// Data that is written meanwhile can make a size too small. Then the script tries another size.
    private static let script = """
        mount -t tmpfs -o "size=$2m" tributary "$1" || exit 1
        echo done
        while read -r command; do
            answer=failed
            for _ in {1..100}; do
                size=$2m
                [[ $command == fill ]] && size=$(df --output=used -k "$1" | tail -n 1 | tr -d ' ')k
                if mount -o "remount,size=$size" "$1" 2>/dev/null; then answer=done; break; fi
            done
            echo "$answer"
        done
        """
}
