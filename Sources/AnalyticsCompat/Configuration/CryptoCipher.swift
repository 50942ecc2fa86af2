import Foundation
import TributaryJournal

/// Uses an app's encryption for the data that the client keeps on disk.
///
/// The encryption covers the place of a record, so records cannot be exchanged. It does not identify its key, so a
/// record of another key counts as damaged.
struct CryptoCipher: JournalCipher {
    private let crypto: any SEGCrypto

    init(_ crypto: any SEGCrypto) { self.crypto = crypto }

    func seal(epoch: UInt64) -> any JournalSeal { Seal(crypto: crypto) }

    private struct Seal: JournalSeal {
        let crypto: any SEGCrypto

        let keyCheck = [UInt8]("SEGCrypto-cipher".utf8)
        /// An estimate for usual ciphers: initialization vector, padding and authentication, and the context.
        let overhead = 128

        func close(_ payload: UnsafeRawBufferPointer, context: [UInt8]) throws -> [UInt8] {
            var bytes = Data([UInt8(truncatingIfNeeded: context.count)])
            bytes.append(contentsOf: context.prefix(255))
            bytes.append(contentsOf: payload)
            guard let sealed = crypto.encrypt(bytes) else { throw CryptoError() }
            return [UInt8](sealed)
        }

        func open(_ sealed: UnsafeRawBufferPointer, context: [UInt8]) -> [UInt8]? {
            guard let data = crypto.decrypt(Data(sealed)), let count = data.first.map(Int.init) else { return nil }
            let bytes = [UInt8](data)
            guard bytes.count > count, bytes[1...count].elementsEqual(context.prefix(255)) else { return nil }
            return [UInt8](bytes[(count + 1)...])
        }
    }

    private struct CryptoError: Error, CustomStringConvertible {
        let description = "the app's encryption returned nothing"
    }
}
