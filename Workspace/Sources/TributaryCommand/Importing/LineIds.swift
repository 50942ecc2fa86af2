import Crypto
import Foundation
import TributaryJSON

/// Message ids for events that have none: the same for the same line of the same file.
struct LineIds {
    private let identity: String

    init(_ identity: String) { self.identity = identity }

    func completed(_ event: JSONObject, line: Int) -> JSONObject {
        if let id = event["messageId"]?.stringValue, !id.isEmpty { return event }
        var event = event
        let digest = SHA256.hash(data: Data("\(identity):\(line)".utf8))
        event["messageId"] = .string("import-" + digest.prefix(16).hexadecimal)
        return event
    }
}

/// A digest of the file's content.
enum FileDigest {
    static func of(_ path: String) throws(Failure) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Failure("\(path) cannot be read: there is no such file")
        }
        defer { try? file.close() }
        var hash = SHA256()
        do {
            while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty { hash.update(data: chunk) }
        } catch {
            throw Failure("\(path) cannot be read: \(error.localizedDescription)")
        }
        return hash.finalize().hexadecimal
    }
}

extension Sequence<UInt8> {
    fileprivate var hexadecimal: String {
        reduce(into: "") { text, byte in text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    }
}
