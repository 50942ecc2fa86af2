import Foundation
import TestSupport
import Testing
import TributaryEncryption
import TributaryJSON

@testable import Tributary

@Suite("The identity that all queues of a write key share")
struct SharedIdentityTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func client(_ configure: (Configuration) -> Void = { _ in }) -> Client {
        Client(folder: folder.url, configure: configure)
    }

    @Test("A client that returns while another one has its queue finds its user there")
    func returning() async {
        let first = client()
        first.analytics.identify(userId: "u-1", traits: ["plan": "pro"])
        let known = first.analytics.userInfo
        await first.ended()
        let holder = client()
        let returning = client()
        #expect(returning.analytics.eventQueue.number == 1)
        #expect(returning.analytics.userInfo == known)
        #expect(holder.analytics.userInfo == known)
        await returning.ended()
        await holder.ended()
    }

    @Test("A client that returns while its queue is being emptied finds its user, and its changes stay")
    func adopted() async {
        let silent = TestServer()
        silent.silenceSettings()
        let first = Client(server: silent, folder: folder.url)
        // The answers of this client's server never come, so its queue stays in use.
        let other = client { $0.transport(MuteServer()) }
        first.analytics.identify(userId: "u-1")
        first.analytics.reset()
        let known = first.analytics.userInfo
        await first.ended()
        other.begin()
        await other.reported(reason: "adopted")
        let returning = client()
        #expect(returning.analytics.eventQueue.number == 2)
        #expect(returning.analytics.userInfo == known)
        returning.analytics.identify(userId: "u-2")
        await returning.ended()
        await other.ended()
        let next = client()
        #expect(next.analytics.eventQueue.number == 0)
        #expect(next.analytics.userId == "u-2")
        #expect(next.analytics.anonymousId == known.anonymousId)
        await next.ended()
    }

    /// Gives settings, and never answers a batch.
    private struct MuteServer: Transport {
        private let server = TestServer()

        func send(
            _ request: TransportRequest,
            completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
        ) {
            guard !request.url.path.hasSuffix("/b") else { return }
            server.send(request, completion: completion)
        }
    }

    @Test("The last change of the identity counts, in whichever queue and at whatever clock")
    func lastWord() async {
        let first = client()
        let second = client()
        second.time.setClock(by: 5)
        second.analytics.identify(userId: "u-1")
        first.time.setClock(by: -86_400)
        first.analytics.identify(userId: "u-0")
        await first.ended()
        await second.ended()
        // Both clients were alive, so the clock decides between their identities.
        let third = client()
        #expect(third.analytics.userId == "u-1")
        third.time.setClock(by: -86_400)
        third.analytics.reset()
        let fresh = third.analytics.anonymousId
        await third.ended()
        let (fourth, fifth) = (client(), client())
        #expect(fourth.analytics.userId == nil && fourth.analytics.anonymousId == fresh)
        #expect(fifth.analytics.userInfo == fourth.analytics.userInfo)
        await fourth.ended()
        await fifth.ended()
    }

    @Test("Clients that begin at the same time for the first time have one anonymous user", arguments: 1...4)
    func together(round: Int) async throws {
        let url = folder.url
        let clients = await withTaskGroup(of: Client.self) { group in
            for _ in 0..<8 { group.addTask { Client(folder: url) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(clients.map { $0.analytics.eventQueue.number }).count == 8)
        #expect(Set(clients.map { $0.analytics.anonymousId }).count == 1)
        for client in clients { await client.ended() }
    }

    @Test("A crash before the first identity is in a queue does not change the identity")
    func crashed() async throws {
        let first = client()
        let known = first.analytics.anonymousId
        await first.ended()
        for name in try FileManager.default.contentsOfDirectory(atPath: key.path) where name.hasPrefix("lane-") {
            try FileManager.default.removeItem(at: key.appendingPathComponent(name))
        }
        let second = client()
        #expect(second.analytics.anonymousId == known)
        second.analytics.reset()
        let fresh = second.analytics.anonymousId
        await second.ended()
        try FileManager.default.removeItem(at: key.appendingPathComponent("lane-0"))
        let third = client()
        #expect(![known, fresh].contains(third.analytics.anonymousId))
        await third.ended()
    }

    private var key: URL { folder.url.appendingPathComponent("tributary/KEY") }

    @Test("After a refusal no queue brings the identity back")
    func refused() async throws {
        let first = client()
        let second = client()
        let known = first.analytics.anonymousId
        second.analytics.identify(userId: "u-1")
        await second.ended()
        first.analytics.setConsent(.denied)
        #expect(!FileManager.default.fileExists(atPath: key.appendingPathComponent(FirstIdentity.name).path))
        await first.ended()
        let third = client()
        #expect(third.analytics.userId == nil && third.analytics.anonymousId != known)
        third.analytics.setConsent(.granted)
        let fresh = third.analytics.anonymousId
        await third.ended()
        let (fourth, fifth) = (client(), client())
        #expect([fourth, fifth].allSatisfy { $0.analytics.anonymousId == fresh && $0.analytics.userId == nil })
        await fourth.ended()
        await fifth.ended()
    }

    @Test("A pending identity is the same in every queue and is deleted by a refusal")
    func pending() async {
        let first = client { $0.consent(.pending) }
        first.analytics.identify(userId: "u-1")
        let known = first.analytics.userInfo
        await first.ended()
        let holder = client { $0.consent(.pending) }
        let second = client { $0.consent(.pending) }
        #expect(second.analytics.userInfo == known)
        second.analytics.setConsent(.denied)
        await second.ended()
        await holder.ended()
        let third = client()
        #expect(third.analytics.userId == nil && third.analytics.anonymousId != known.anonymousId)
        await third.ended()
    }

    @Test("The identity is read from a disk that cannot be written")
    func readOnly() async {
        let first = client()
        first.analytics.identify(userId: "u-1")
        let known = first.analytics.userInfo
        await first.ended()
        let disk = BrokenDisk()
        disk.fail { operation, path in operation == .open && path.hasSuffix("/lock") ? 30 : nil }
        let second = client { $0.files(disk) }
        #expect(second.analytics.storageState.reason == .readOnly)
        #expect(second.analytics.userInfo == known)
        await second.ended()
    }

    @Test("Processes with the key share an encrypted identity, which is nowhere in the clear")
    func encrypted() async throws {
        let cipher = try #require(AESGCMCipher(key: [UInt8](repeating: 1, count: 32)))
        let clients = [client { $0.storageCipher(cipher) }, client { $0.storageCipher(cipher) }]
        let known = clients[0].analytics.anonymousId
        #expect(clients[1].analytics.anonymousId == known)
        for client in clients { await client.ended() }
        let first = try Data(contentsOf: key.appendingPathComponent(FirstIdentity.name))
        #expect(first.range(of: Data(known.utf8)) == nil)
        let stranger = client()
        #expect(stranger.analytics.anonymousId != known)
        await stranger.ended()
    }

    @Test("A diagnostic reports that another running process knows another user")
    func told() async {
        let first = client()
        let second = client()
        second.analytics.identify(userId: "u-2")
        first.begin()
        await first.reported(text: "has another user")
        #expect(first.analytics.userId == nil)
        await second.ended()
        await first.ended()
    }
}

#if os(Linux)
@Suite("The identity that several processes share")
struct SharedIdentityProcessTests {
    /// A process with a client, which says who its user is.
    private struct Probe {
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()

        init(_ folder: URL) throws {
            let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            process.executableURL = programs.appendingPathComponent("LifecycleProbe")
            process.arguments = [folder.path, "identity"]
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.start()
        }

        /// The next line: the anonymous id and the user id.
        func line() -> [String] {
            var text = ""
            while !text.hasSuffix("\n") {
                let more = output.fileHandleForReading.readData(ofLength: 1)
                guard !more.isEmpty else { break }
                text += String(decoding: more, as: UTF8.self)
            }
            return text.split(whereSeparator: \.isWhitespace).map(String.init)
        }

        func identify(_ user: String) { input.fileHandleForWriting.write(Data("\(user)\n".utf8)) }

        /// Kills the process right after its call returned.
        func kill() {
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    @Test("Processes that begin together have one anonymous user, and later processes have the last identity")
    func processes() throws {
        let folder = try TemporaryFolder()
        let probes = try (0..<3).map { _ in try Probe(folder.url) }
        let first = probes.map { $0.line() }
        #expect(Set(first).count == 1)
        #expect(first[0].count == 2 && first[0].last == "-")
        probes[2].identify("u-1")
        #expect(probes[2].line() == [first[0][0], "u-1"])
        for probe in probes { probe.kill() }
        let next = try (0..<2).map { _ in try Probe(folder.url) }
        for probe in next { #expect(probe.line() == [first[0][0], "u-1"]) }
        for probe in next { probe.kill() }
    }
}
#endif
