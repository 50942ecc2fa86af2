import Foundation
import TestSupport
import Testing
import TributaryEncryption

@testable import Tributary

@Suite struct EncryptedStorageTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func client(_ seed: UInt8, _ server: TestServer = TestServer()) throws -> Client {
        let cipher = try #require(AESGCMCipher(key: [UInt8](repeating: seed, count: 32)))
        return Client(server: server, folder: folder.url) { $0.storageCipher(cipher) }
    }

    private func filesHold(_ text: String) throws -> Bool {
        let files = FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)
        while let url = files?.nextObject() as? URL {
            if let data = try? Data(contentsOf: url), data.range(of: Data(text.utf8)) != nil { return true }
        }
        return false
    }

    @Test("With a cipher neither events nor ids are readable on disk")
    func unreadable() async throws {
        let client = try client(1)
        client.analytics.identify(userId: "somebody-secret")
        client.analytics.track(name: "a secret event")
        await client.processed()
        #expect(try !filesHold("secret"))
        #expect(await client.flushed() == .sent)
        await client.ended()
        #expect(try !filesHold("secret event"))
    }

    @Test("A client with another key works, and the events under the first key wait for that key")
    func otherKey() async throws {
        let silent = TestServer()
        let first = try client(1, silent)
        first.analytics.track(name: "first")
        await first.ended()

        let second = try client(2)
        second.analytics.track(name: "second")
        await second.flushed()
        #expect(second.server.names == ["second"])
        #expect(second.diagnostics.all(.storage).contains { $0.reason == .otherKey })
        await second.ended()

        let third = try client(1)
        third.analytics.track(name: "third")
        await third.flushed()
        #expect(third.server.names == ["first", "third"])
        await third.ended()
    }
}
