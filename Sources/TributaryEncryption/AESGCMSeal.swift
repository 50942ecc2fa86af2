import TributaryCryptography
import TributaryJournal

/// Seals the payloads of one epoch of a journal: nonce, ciphertext, tag.
struct AESGCMSeal: JournalSeal {
    /// The system's library failed.
    struct Failure: Error {}

    let keyCheck: [UInt8]
    let overhead = AES256GCM.overhead

    private let cipher: AES256GCM?
    private let makeNonce: @Sendable () -> [UInt8]

    init(key: [UInt8], keyCheck: [UInt8], nonce: @escaping @Sendable () -> [UInt8]) {
        cipher = AES256GCM(key: key)
        self.keyCheck = Array(keyCheck.prefix(16))
        makeNonce = nonce
    }

    func close(_ payload: UnsafeRawBufferPointer, context: [UInt8]) throws -> [UInt8] {
        guard let sealed = cipher?.seal(payload, nonce: makeNonce(), authenticating: context) else { throw Failure() }
        return sealed
    }

    func open(_ sealed: UnsafeRawBufferPointer, context: [UInt8]) -> [UInt8]? {
        cipher?.open(sealed, authenticating: context)
    }
}
