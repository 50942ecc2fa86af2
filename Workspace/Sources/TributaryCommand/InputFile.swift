import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Reads the file that an argument names.
enum InputFile {
    /// Bytes. A larger file is a mistake: these are settings, code and texts, and all of it is kept in memory.
    private static let longest = 64 << 20

    static func read(_ path: String) throws(Failure) -> Data {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(path, errno) }
        defer { close(file) }
        return try content(of: file, named: path)
    }

    /// Reads what comes on standard input, to its end. `FileHandle` ends the program when a signal comes meanwhile.
    static func standardInput() throws(Failure) -> Data { try content(of: STDIN_FILENO, named: "standard input") }

    private static func content(of file: Int32, named path: String) throws(Failure) -> Data {
        var content = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Foundation.read(file, &buffer, buffer.count)
            if count == 0 { return content }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw unreadable(path, errno)
            }
            content += buffer[..<count]
            guard content.count <= longest else {
                throw Failure("\(path.printable) cannot be read: it is larger than \(longest.grouped) bytes")
            }
        }
    }

    private static func unreadable(_ path: String, _ code: Int32) -> Failure {
        Failure(
            path.isEmpty
                ? "a file is named by an empty text; give its path"
                : "\(path.printable) cannot be read: \(SystemReason.text(code: code))")
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Whether there is a file with content of its own, and no device or pipe.
    static func isRegular(_ path: String) -> Bool {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        // No attributes: there is no such file.
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        return attributes?[.type] as? FileAttributeType == .typeRegular
    }

    static func json(_ path: String) throws(Failure) -> JSON {
        let data = try read(path)
        do {
            // Some programs begin a file with a byte order mark.
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            return try JSON.parse([UInt8](data.starts(with: mark) ? data.dropFirst(mark.count) : data))
        } catch {
            throw Failure("\(path.printable) is not JSON: \(error)")
        }
    }
}
