import Foundation
import WorkspaceCore
import WorkspaceServer

/// The folder of a client: that of one write key.
struct ClientFolder: Equatable {
    let path: String
    let writeKey: String

    /// The folders of all clients of an app.
    /// - Throws: `Failure` when there is none, or when the folder cannot be read.
    static func all(in path: String) throws(Failure) -> [ClientFolder] {
        let path = URL(fileURLWithPath: path).standardizedFileURL.path
        let names = try self.names(path)
        if isClient(names) { return [ClientFolder(path)] }
        // On a Mac, an app outside of the sandbox has a folder of its own in the shared one; that is given then.
        let root = names.contains("tributary") ? path + "/tributary" : path
        var found: [ClientFolder] = []
        for name in try self.names(root) where InputFile.isFolder("\(root)/\(name)") {
            if isClient(try self.names("\(root)/\(name)")) { found.append(ClientFolder("\(root)/\(name)")) }
        }
        guard !found.isEmpty else {
            throw Failure(
                "\(path.printable) has no data of a client: no folder `tributary` with a folder for each write key; was the "
                    + "app started, and does it keep its events in memory?")
        }
        return found
    }

    private init(_ path: String) {
        self.path = path
        writeKey = Self.writeKey((path as NSString).lastPathComponent)
    }

    /// The names of files and folders in the folder, in order.
    func names() throws(Failure) -> [String] { try Self.names(path) }

    private static func names(_ path: String) throws(Failure) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            throw Failure("\(path.printable) cannot be read: \(SystemReason.text(error))")
        }
    }

    private static func isClient(_ names: [String]) -> Bool {
        names.contains { $0 == "settings.json" || $0 == "first-identity" || ClientQueue.number($0) != nil }
    }

    /// The write key of a folder's name: letters and digits as they are, `_` and two digits for any other byte.
    private static func writeKey(_ name: String) -> String {
        var (bytes, rest) = ([UInt8](), Array(name.utf8)[...])
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "_"), digits.count == 2, let escaped = UInt8(digits, radix: 16) {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
