import Crypto
import WorkspaceCore

/// Names one exact content, for `ETag` and `If-None-Match`.
struct EntityTag: Equatable {
    /// The tag with its quotes.
    let text: String

    init(value: String) { text = "\"\(value)\"" }

    /// A tag made from the content itself.
    init(of bytes: [UInt8]) { self.init(value: SHA256.hash(data: bytes).hexadecimal) }

    /// True when a client says that it has this content: a list of tags, weak or not, or `*`.
    func matches(_ header: String?) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").contains { part in
            var part = part.drop { $0 == " " }
            while part.last == " " { part.removeLast() }
            if part.hasPrefix("W/") { part.removeFirst(2) }
            return part == "*" || part == text
        }
    }
}
