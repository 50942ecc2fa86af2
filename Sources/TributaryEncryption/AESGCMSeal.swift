import Crypto
import TributaryJournal

/// Seals the payloads of one life of a journal: nonce, ciphertext, tag.
struct AESGCMSeal: JournalSeal {
    let keyCheck: [UInt8]
    let overhead = 12 + 16

    private let key: SymmetricKey
    private let makeNonce: (@Sendable () -> [UInt8])?

    init(key: [UInt8], keyCheck: [UInt8], nonce: (@Sendable () -> [UInt8])?) {
        self.key = SymmetricKey(data: key)
        self.keyCheck = Array(keyCheck.prefix(16))
        makeNonce = nonce
    }

    func close(_ payload: UnsafeRawBufferPointer, context: [UInt8]) throws -> [UInt8] {
        let nonce = try makeNonce.map { try AES.GCM.Nonce(data: $0()) } ?? AES.GCM.Nonce()
        let box = try AES.GCM.seal(payload, using: key, nonce: nonce, authenticating: context)
        return Array(box.nonce) + box.ciphertext + box.tag
    }

    func open(_ sealed: UnsafeRawBufferPointer, context: [UInt8]) -> [UInt8]? {
        guard sealed.count >= overhead, let box = try? AES.GCM.SealedBox(combined: sealed),
            let payload = try? AES.GCM.open(box, using: key, authenticating: context)
        else { return nil }
        return Array(payload)
    }
}
