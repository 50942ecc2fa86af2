import Crypto
import Foundation
import WorkspaceCore
import WorkspaceServer

/// Seals the changes of the settings with the operator's keys, so that the log and its servers hold no secret in plain
/// form.
///
/// A record begins with its form, the version of the tables, the four bytes of the key's mark, the position of its part
/// and the number of parts. These and the place before the record are authenticated, so a record is valid only at its
/// place. The rest is sealed with AES-GCM.
struct ChangeSeal: Sendable {
    /// The first key seals new records. The others open older records.
    private let keys: [ChangeKey]
    /// The versions of the tables from which changes can be applied. The last one is the version of this program.
    private let tables: ClosedRange<Int>

    /// The newest form. The first byte of a record says its form, and whether it has changes or a snapshot.
    private static let newestForm: UInt8 = 2
    private static let headerBytes = 11

    /// - Parameters:
    ///   - secret: the operator's secret for new records, the same on all nodes. See `ChangeKey`.
    ///   - old: the operator's earlier secrets.
    ///   - tables: the versions of the tables from which changes can be applied.
    init(
        secret: String, old: [String] = [], tables: ClosedRange<Int> = Schema.history.readable
    ) throws(WorkspaceError) {
        self.tables = tables
        keys = try ([secret] + old).map { secret throws(WorkspaceError) in try ChangeKey(secret: secret) }
    }

    /// The marks of the keys that this node has, beginning with the key for new records.
    var marks: [[UInt8]] { keys.map(\.mark) }

    /// The mark of the key that sealed a record; empty when the record is too short.
    static func mark(of record: LogRecord) -> [UInt8] { Array(record.bytes.prefix(7).dropFirst(3)) }

    /// - Parameters:
    ///   - last: the place before the record.
    ///   - mark: the mark of the key to use. Without such a key, the key for new records is used.
    func seal(_ part: ChangePart, after last: UInt64, with mark: [UInt8]? = nil) throws -> [UInt8] {
        guard let key = keys.first(where: { $0.mark == mark }) ?? keys.first else {
            throw CryptoKitError.incorrectKeySize
        }
        let header = header(key, part)
        let box = try AES.GCM.seal(part.bytes, using: key.key, authenticating: header + last.bytes)
        guard let sealed = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return header + [UInt8](sealed)
    }

    /// - Throws: `NewerSettings` when a newer version of the server made the record, otherwise `SettingsDivergence`.
    func open(_ record: LogRecord) throws -> ChangePart {
        let what = "the change \(record.place) of the settings"
        if let form = record.bytes.first, form > Self.newestForm { throw NewerSettings("\(what) has the form \(form)") }
        guard record.bytes.count > Self.headerBytes, record.bytes[0] > 0 else {
            throw SettingsDivergence("\(what) has a form that this version does not know")
        }
        let header = Array(record.bytes.prefix(Self.headerBytes))
        func number(_ index: Int) -> Int { Int(header[index]) << 8 | Int(header[index + 1]) }
        guard let key = keys.first(where: { $0.mark == Self.mark(of: record) }) else {
            throw SettingsDivergence(
                """
                \(what) was sealed with another key; --cluster-key-file has to be the same on all nodes, and a key of before \
                belongs in --cluster-old-key-file
                """)
        }
        let bytes: Data
        do {
            let box = try AES.GCM.SealedBox(combined: record.bytes.dropFirst(Self.headerBytes))
            bytes = try AES.GCM.open(box, using: key.key, authenticating: header + (record.place &- 1).bytes)
        } catch {
            throw SettingsDivergence(
                "\(what) was changed, or put to another place of the log, or sealed with another key")
        }
        try check(number(1), what)
        return ChangePart(
            kind: header[0] == 1 ? .change : .snapshot, index: number(7), count: number(9), bytes: [UInt8](bytes))
    }

    /// Tables of an older version have only the first columns of today's tables; tables of a newer version may have
    /// more.
    private func check(_ version: Int, _ what: String) throws {
        if version > tables.upperBound {
            throw NewerSettings("\(what) was made with tables \(version), and this node has \(tables.upperBound)")
        }
        guard version >= tables.lowerBound else {
            throw SettingsDivergence(
                """
                \(what) was made with tables \(version), and this version reads \(tables.lowerBound) and later; upgrade by the \
                versions between
                """)
        }
    }

    private func header(_ key: ChangeKey, _ part: ChangePart) -> [UInt8] {
        func bytes(_ number: Int) -> [UInt8] {
            [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
        }
        let form: UInt8 = part.kind == .change ? 1 : 2
        return [form] + bytes(tables.upperBound) + key.mark + bytes(part.index) + bytes(part.count)
    }
}

/// A key that seals changes of the settings. It is derived from a secret of the operator.
struct ChangeKey: Sendable {
    let key: SymmetricKey
    /// Four bytes that identify the key and reveal nothing about it.
    let mark: [UInt8]

    /// - Parameter secret: at least 20 random characters, because the derivation of the key does not slow down
    ///   guessing.
    init(secret: String) throws(WorkspaceError) {
        guard secret.utf8.count >= Limits.shortestToken else {
            throw WorkspaceError(
                .dataFolder,
                "a key of the cluster (--cluster-key-file, --cluster-old-key-file) needs at least \(Limits.shortestToken) characters"
            )
        }
        let material = SymmetricKey(data: Data(secret.utf8))
        func derived(_ use: String, _ bytes: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, salt: Data("tributary".utf8), info: Data(use.utf8), outputByteCount: bytes)
        }
        key = derived("settings: key", 32)
        mark = derived("settings: mark of the key", 4).withUnsafeBytes { Array($0) }
    }
}
