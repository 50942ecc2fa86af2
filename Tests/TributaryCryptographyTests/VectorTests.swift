import Testing
import TributaryCryptography

/// Published vectors, so that each system's library gives the same.
@Suite("Cryptography of the system's library")
struct VectorTests {
    @Test("SHA-256 of the texts of FIPS 180-4 is right")
    func digest() {
        #expect(
            SHA256Digest.of(Array("abc".utf8))
                == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
        #expect(
            SHA256Digest.of([]) == bytes("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
    }

    @Test("The HMAC of RFC 4231, case 2, is right")
    func authentication() {
        #expect(
            MessageAuthentication.code(for: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
                == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
    }

    @Test("A signature of RFC 8032 is valid, and with any changed byte it is not")
    func signature() throws {
        let key = try #require(
            Ed25519PublicKey(bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")))
        let signature = bytes(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
        #expect(key.isValid(signature, for: [0x72]))
        #expect(!key.isValid(signature, for: [0x73]))
        #expect(!key.isValid(signature, for: []))
        #expect(!key.isValid([], for: [0x72]))
        for index in signature.indices { #expect(!key.isValid(changed(signature, at: index), for: [0x72])) }
        #expect(Ed25519PublicKey([1, 2, 3]) == nil)
    }

    @Test("AES-256-GCM of NIST, case 16, is right, and does not open with any byte changed")
    func sealing() throws {
        let key = "feffe9928665731c6d6a8f9467308308"
        let cipher = try #require(AES256GCM(key: bytes(key + key)))
        let nonce = bytes("cafebabefacedbaddecaf888")
        let context = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
        let payload = bytes(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
        let sealed = try #require(
            payload.withUnsafeBytes { cipher.seal($0, nonce: nonce, authenticating: context) })
        #expect(
            sealed
                == nonce
                + bytes(
                    "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                        + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
                        + "76fc6ece0f4e1768cddf8853bb2d551b"))
        let open = { (sealed: [UInt8], context: [UInt8]) in
            sealed.withUnsafeBytes { cipher.open($0, authenticating: context) }
        }
        #expect(open(sealed, context) == payload)
        #expect(open(sealed, []) == nil)
        #expect(open(Array(sealed.prefix(AES256GCM.overhead - 1)), context) == nil)
        for index in sealed.indices { #expect(open(changed(sealed, at: index), context) == nil) }
    }

    @Test("An empty text can be encrypted and decrypted")
    func empty() throws {
        let cipher = try #require(AES256GCM(key: [UInt8](repeating: 7, count: 32)))
        let nonce = [UInt8](repeating: 1, count: 12)
        let sealed = try #require([UInt8]().withUnsafeBytes { cipher.seal($0, nonce: nonce, authenticating: []) })
        #expect(sealed.count == AES256GCM.overhead)
        #expect(sealed.withUnsafeBytes { cipher.open($0, authenticating: []) } == [])
        #expect([UInt8]().withUnsafeBytes { cipher.seal($0, nonce: [1], authenticating: []) } == nil)
        #expect(AES256GCM(key: [1]) == nil)
    }

    private func changed(_ bytes: [UInt8], at index: Int) -> [UInt8] {
        var bytes = bytes
        bytes[index] ^= 1
        return bytes
    }

    private func bytes(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.count, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) }
    }
}
