import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// A small file of a client, which the client replaces as a whole.
enum ClientFile {
    /// More than the client ever writes.
    private static let mostBytes = 16 << 20

    struct Damage: Error {
        let reason: String
    }

    /// The content of a file; nil when there is none.
    static func read(_ path: String) throws(Damage) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Damage(reason: "it cannot be read: \(SystemReason.text(code: errno))")
        }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        do {
            let content = try handle.read(upToCount: mostBytes + 1) ?? Data()
            guard content.count <= mostBytes else {
                throw Damage(reason: "it has more than \(mostBytes.grouped) bytes")
            }
            return [UInt8](content)
        } catch let damage as Damage {
            throw damage
        } catch {
            throw Damage(reason: "it cannot be read: \(SystemReason.text(error))")
        }
    }

    /// The object in a file; nil when there is no file.
    static func object(_ path: String) throws(Damage) -> JSONObject? {
        guard let bytes = try read(path) else { return nil }
        do throws(JSONError) {
            if let object = try JSON.parse(bytes).objectValue { return object }
        } catch {
            throw Damage(reason: "it is not JSON: \(error)")
        }
        throw Damage(reason: "it is no JSON object")
    }

    /// When the file was written, in milliseconds since 1970.
    static func written(_ path: String) -> Int64? {
        // Only for people: without attributes there is no time.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.modificationDate] as? Date).map { Int64($0.timeIntervalSince1970 * 1000) }
    }
}
