import Foundation
import Tributary
import TributaryJSON

/// Reads bodies for signals: `content` holds a JSON body, `body` any other text. A body that is binary, too large, or
/// contains secrets in a text of unknown form is left out.
struct BodyReader: Sendable {
    /// Converts the bodies of a media type to a dictionary; nil for a body that it cannot read.
    typealias Deserializer = @Sendable (Data) -> [String: Any]?

    private var deserializers: [String: Deserializer] = [:]

    mutating func add(_ deserializer: @escaping Deserializer, for contentType: String) {
        deserializers[Self.mediaType(contentType)] = deserializer
    }

    /// - Parameters:
    ///   - contentType: as its sender names it.
    ///   - encoding: the compression of the body, when the session does not decompress it.
    func read(_ data: Data, contentType: String?, encoding: String? = nil) -> JSON? {
        guard !data.isEmpty, data.count <= CaptureLimits.bodyBytes, Self.isPlain(encoding) else { return nil }
        let type = contentType.map(Self.mediaType) ?? ""
        if let deserializer = deserializers[type] {
            return deserializer(data).flatMap { try? JSON($0) }.map(Secrets.removed)
        }
        guard !Self.isBinary(type), let text = String(validatingUTF8: data) else { return nil }
        if type == "application/x-www-form-urlencoded" { return ["body": .string(Secrets.items(text[...]))] }
        if Self.isJSON(type) || Self.looksLikeJSON(data), let content = try? JSON.parse([UInt8](data)) {
            return ["content": Secrets.removed(from: content)]
        }
        guard !Secrets.areGiven(in: text), !Secrets.isSecret(value: text) else { return nil }
        return ["body": .string(text)]
    }

    /// `application/json` of `Application/JSON; charset=utf-8`.
    static func mediaType(_ contentType: String) -> String {
        contentType.prefix { $0 != ";" && $0 != "," }.trimmingCharacters(in: .whitespaces).lowercased()
    }

    private static func isPlain(_ encoding: String?) -> Bool {
        guard let encoding = encoding?.trimmingCharacters(in: .whitespaces).lowercased() else { return true }
        return encoding.isEmpty || encoding == "identity"
    }

    private static func isJSON(_ type: String) -> Bool {
        type == "application/json" || type == "text/json" || type.hasSuffix("+json")
    }

    private static func looksLikeJSON(_ data: Data) -> Bool {
        let first = data.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Types that hold no text; forms of several parts may hold files.
    private static func isBinary(_ type: String) -> Bool {
        let kinds = ["image/", "audio/", "video/", "font/", "multipart/", "application/vnd.", "application/x-protobuf"]
        let types = ["application/octet-stream", "application/zip", "application/gzip", "application/pdf"]
        return !isJSON(type) && (types.contains(type) || kinds.contains { type.hasPrefix($0) })
    }
}

extension String {
    /// A text out of bytes that are one, without zeros.
    fileprivate init?(validatingUTF8 data: Data) {
        guard !data.contains(0), let text = String(data: data, encoding: .utf8) else { return nil }
        self = text
    }
}
