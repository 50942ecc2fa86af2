import Foundation

/// A folder for the data of servers. It is removed when its object or its program ends.
public final class EngineFolder: Sendable {
    /// The path.
    public let path: String
    private let input: FileHandle
    private let shell: Process

    /// Makes a folder with a unique name.
    public init() throws {
        path = NSTemporaryDirectory() + "tributary-engines-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        // Servers that are about to end may still write.
        shell.arguments = ["-c", "cat >/dev/null; until rm -rf \"$1\" 2>/dev/null; do sleep 1; done", "sh", path]
        let pipe = Pipe()
        shell.standardInput = pipe
        input = pipe.fileHandleForWriting
        try shell.run()
    }

    deinit { try? input.close() }

    /// Makes a folder inside.
    public func folder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
        return "\(path)/\(name)"
    }

    /// Writes a file inside.
    public func write(_ text: String, to name: String) throws {
        try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
    }
}
