import Crypto
import Foundation

/// What the index of messages knows a row by: a digest, so that it is short however long an id is, and says nothing.
enum MessageKey {
    /// 16 bytes; two ids that agree in them are not found by searching.
    static func of(_ kind: RowIdentity.Kind, _ id: String) -> Data {
        var hash = SHA256()
        hash.update(data: [kind.rawValue])
        hash.update(data: Data(id.utf8))
        return Data(hash.finalize().prefix(16))
    }
}
