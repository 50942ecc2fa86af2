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

    /// In the order of the index, as far as the first half of a key tells.
    static func sorted<Value>(_ entries: [(Data, Value)]) -> [(Data, Value)] {
        let places = entries.enumerated().map { index, entry in
            (entry.0.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }, index)
        }
        return places.sorted { $0.0 < $1.0 }.map { entries[$0.1] }
    }
}
