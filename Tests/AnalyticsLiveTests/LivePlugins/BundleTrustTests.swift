import Foundation
import TestSupport
import Testing
import Tributary
import TributaryCryptography
import TributaryJSON

@testable import AnalyticsLive

@Suite("The signatures of several keys", .timeLimit(.minutes(30)))
struct BundleSignaturesTests {
    private static let keys = [SigningKey(), SigningKey(), SigningKey()]
    private static let bytes = Array("code".utf8)

    private static func trust(_ count: Int?) -> SignatureCheck {
        SignatureCheck(BundleTrust(keys: keys.map { $0.publicKey.base64EncodedString() }, atLeast: count))
    }

    private static func signature(_ key: SigningKey) throws -> String {
        try key.signature(for: Data(bytes)).base64EncodedString()
    }

    @Test("Enough different keys must have signed, in any order and beside foreign signatures")
    func count() throws {
        let signatures = try Self.keys.map(Self.signature)
        let foreign = try Self.signature(SigningKey())
        let check = Self.trust(2)
        #expect(check.objection(to: Self.bytes, signatures: [signatures[2], foreign, "!", signatures[0]]) == nil)
        #expect(check.objection(to: Self.bytes, signatures: signatures) == nil)
        // One key that signs twice is one key.
        for too in [[signatures[0]], [signatures[0], signatures[0]], [signatures[0], foreign]] {
            #expect(
                check.objection(to: Self.bytes, signatures: too)
                    == "it has signatures of 1 of the app's public keys; the app wants 2")
        }
        #expect(check.objection(to: Self.bytes, signatures: []) == "it is not signed")
        #expect(check.objection(to: Array("other".utf8), signatures: signatures) != nil)
        #expect(Self.trust(nil).objection(to: Self.bytes, signatures: [signatures[1]]) == nil)
    }

    @Test("Conditions that no bundle can meet let no bundle run")
    func impossible() throws {
        let signatures = try Self.keys.map(Self.signature)
        let keys = Self.keys.map { $0.publicKey.base64EncodedString() }
        let impossible = [
            BundleTrust(keys: keys, atLeast: 4), BundleTrust(keys: keys, atLeast: 0),
            BundleTrust(keys: keys, atLeast: -1), BundleTrust(keys: keys + ["key"], atLeast: 1),
            BundleTrust(keys: keys + [keys[0]], atLeast: 2), BundleTrust(atLeast: 1),
            BundleTrust(keys: (0..<17).map { _ in SigningKey().publicKey.base64EncodedString() }),
        ]
        for trust in impossible {
            #expect(SignatureCheck(trust).objection(to: Self.bytes, signatures: signatures) != nil, "\(trust)")
        }
        #expect(SignatureCheck(BundleTrust()).objection(to: Self.bytes, signatures: []) == nil)
    }

    @Test("A version that two keys have signed runs, also at the next launch; a version with one of them does not")
    func deployed() async throws {
        let folder = try TemporaryFolder()
        let trust = BundleTrust(keys: Self.keys.map { $0.publicKey.base64EncodedString() }, atLeast: 2)
        func signatures(_ script: String, _ count: Int) throws -> [String] {
            try Self.keys.prefix(count).map { try $0.signature(for: Data(script.utf8)).base64EncodedString() }
        }
        let first = Deployment.stamp(1)
        let two = try signatures(first, 2)
        let client = Deployment.client(
            first, signature: two[0], signatures: two, plugin: LivePlugins(trust: trust), folder: folder.url)
        client.analytics.track(name: "A")
        await client.flushed()
        let second = Deployment.stamp(2)
        await client.deploy(
            version: 2, second, signature: try signatures(second, 1)[0], until: "is not available")
        client.analytics.track(name: "B")
        await client.flushed()
        #expect(client.bundles == [1, 1])
        await client.ended()
        let later = Deployment.client(version: 1, status: 503, plugin: LivePlugins(trust: trust), folder: folder.url)
        later.analytics.track(name: "Later")
        await later.flushed()
        #expect(later.bundles == [1])
        await later.ended()
    }
}

@Suite("The log of deployments on a device", .timeLimit(.minutes(30)))
struct BundleLogTests {
    /// A log as a server keeps it, by the definitions of RFC 9162, section 2.1.
    struct Tree {
        var leaves: [[UInt8]]

        init(_ entries: [[UInt8]]) { leaves = entries.map { LogHash.leaf($0) ?? [] } }

        init(versions: [String]) {
            self.init(
                versions.enumerated().map { number, script in
                    Array("\(number + 1) \(ScriptBundle.sha256(of: Array(script.utf8)))".utf8)
                })
        }

        func head(_ size: Int? = nil) -> LogHead {
            let part = leaves[..<(size ?? leaves.count)]
            return LogHead(size: part.count, root: root(part))
        }

        func path(to index: Int) -> [[UInt8]] { path(index, leaves[...]) }

        func growth(from first: Int, to second: Int) -> [[UInt8]] { growth(first, leaves[..<second], true) }

        private func root(_ leaves: ArraySlice<[UInt8]>) -> [UInt8] {
            guard leaves.count > 1 else { return leaves.first ?? [] }
            let (left, right) = halves(leaves)
            return LogHash.node(root(left), root(right)) ?? []
        }

        private func path(_ index: Int, _ leaves: ArraySlice<[UInt8]>) -> [[UInt8]] {
            guard leaves.count > 1 else { return [] }
            let (left, right) = halves(leaves)
            return index < left.count
                ? path(index, left) + [root(right)] : path(index - left.count, right) + [root(left)]
        }

        private func growth(_ first: Int, _ leaves: ArraySlice<[UInt8]>, _ isWhole: Bool) -> [[UInt8]] {
            guard first < leaves.count else { return isWhole ? [] : [root(leaves)] }
            let (left, right) = halves(leaves)
            return first <= left.count
                ? growth(first, left, isWhole) + [root(right)]
                : growth(first - left.count, right, false) + [root(left)]
        }

        private func halves(_ leaves: ArraySlice<[UInt8]>) -> (ArraySlice<[UInt8]>, ArraySlice<[UInt8]>) {
            var size = 1
            while size * 2 < leaves.count { size *= 2 }
            return (leaves.prefix(size), leaves.dropFirst(size))
        }

        /// The log's part of the settings.
        func json(of version: Int, size: Int? = nil) -> JSON {
            var json = head(size).json
            json["proof"] = .array(Tree(hashes: leaves[..<(size ?? leaves.count)]).path(to: version - 1).map(Self.text))
            json["url"] = "http://server.test/v1/projects/KEY/live-plugins/log"
            return json
        }

        func answer(from first: Int, to second: Int) -> StubServer.Answer {
            let json: JSON = ["proof": .array(growth(from: first, to: second).map(Self.text))]
            return .success(TransportResponse(status: 200, body: json.encoded()))
        }

        private init(hashes: ArraySlice<[UInt8]>) { leaves = Array(hashes) }

        private static func text(_ hash: [UInt8]) -> JSON { .string(LogHash(bytes: hash).hexadecimal) }
    }

    /// The entries of the field's test vectors.
    private static let entries: [[UInt8]] = [
        [], [0], [0x10], [0x20, 0x21], [0x30, 0x31], Array(0x40...0x43), Array(0x50...0x57), Array(0x60...0x6F),
    ]

    @Test("The tree has the root of the field's test vectors")
    func vectors() {
        let root = Tree(Self.entries).head().root
        #expect(
            LogHash(bytes: root).hexadecimal == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328")
    }

    @Test("Each entry of trees of all shapes is proved, and no other one")
    func inclusion() {
        let tree = Tree((0..<33).map { [UInt8($0)] })
        for size in 1...33 {
            let part = Tree((0..<size).map { [UInt8($0)] })
            let head = tree.head(size)
            for index in 0..<size {
                let path = part.path(to: index)
                func holds(_ leaf: [UInt8], _ place: Int, _ path: [[UInt8]], _ head: LogHead) -> Bool {
                    MerkleProof.includes(leaf, at: place, path: path, in: head)
                }
                #expect(holds(part.leaves[index], index, path, head))
                #expect(!holds(LogHash.leaf([99]) ?? [], index, path, head))
                #expect(!holds(part.leaves[index], index, path + [head.root], head))
                #expect(!holds(part.leaves[index], index + size, path, head))
                if size > 1 {
                    #expect(!holds(part.leaves[index], index, Array(path.dropLast()), head))
                    #expect(!holds(part.leaves[index], (index + 1) % size, path, head))
                    #expect(!holds(part.leaves[index], index, path, tree.head(size - 1)))
                }
            }
            #expect(!MerkleProof.includes(part.leaves[0], at: -1, path: [], in: head))
        }
    }

    @Test("Growth from each size to each other one is proved, and a changed history is not")
    func growth() {
        let tree = Tree((0..<20).map { [UInt8($0)] })
        let forged = Tree([[99]] + (1..<20).map { [UInt8($0)] })
        for first in 1...20 {
            for second in first...20 {
                let path = tree.growth(from: first, to: second)
                let (old, new) = (tree.head(first), tree.head(second))
                #expect(MerkleProof.shows(new, growsOutOf: old, path: path), "\(first) \(second)")
                guard first < second else { continue }
                #expect(!MerkleProof.shows(forged.head(second), growsOutOf: old, path: path))
                #expect(
                    !MerkleProof.shows(
                        forged.head(second), growsOutOf: old, path: forged.growth(from: first, to: second)))
                #expect(!MerkleProof.shows(new, growsOutOf: old, path: path + [new.root]))
                #expect(!MerkleProof.shows(new, growsOutOf: old, path: Array(path.dropLast())))
                #expect(!MerkleProof.shows(old, growsOutOf: new, path: path))
            }
        }
        #expect(!MerkleProof.shows(tree.head(3), growsOutOf: LogHead(size: 0, root: []), path: []))
    }

    @Test(
        "Proofs of any form are read or refused",
        arguments: [
            "{}", "[]", #"{"size": 0, "root": "ROOT", "proof": [], "url": "http://a/log"}"#,
            #"{"size": -1, "root": "ROOT", "proof": [], "url": "http://a/log"}"#,
            #"{"size": 9223372036854775807, "root": "ROOT", "proof": [], "url": "http://a/log"}"#,
            #"{"size": 1, "root": "ab", "proof": [], "url": "http://a/log"}"#,
            #"{"size": 1, "root": "ROOT", "proof": [1], "url": "http://a/log"}"#,
            #"{"size": 1, "root": "ROOT", "proof": ["zz"], "url": "http://a/log"}"#,
            #"{"size": 1, "root": "ROOT", "proof": "ROOT", "url": "http://a/log"}"#,
            #"{"size": 1, "root": "ROOT", "proof": [], "url": "file:///log"}"#,
            #"{"size": 1, "root": "ROOT", "proof": []}"#,
        ])
    func malformed(text: String) throws {
        let root = String(repeating: "ab", count: 32)
        #expect(LogProof(try JSON.parse(text.replacingOccurrences(of: "ROOT", with: root))) == nil)
        let long = JSON.array(Array(repeating: .string(root), count: 65))
        #expect(LogProof(["size": 1, "root": .string(root), "proof": long, "url": "http://a/log"]) == nil)
    }

    private static let scripts = (1...4).map(Deployment.stamp)

    /// A launch of the app, when the server answers like that from the beginning.
    private static func client(
        version: Int, log: JSON?, growth: StubServer.Answer? = nil, _ folder: URL
    ) -> Client {
        let client = Deployment.client(
            version: version, scripts[version - 1], log: log, growth: growth,
            plugin: LivePlugins(trust: BundleTrust(isLogged: true)), folder: folder)
        client.analytics.track(name: "E")
        return client
    }

    @Test("A version runs only when it stands in the log, and the log only grew since the device saw it last")
    func device() async throws {
        let folder = try TemporaryFolder()
        let tree = Tree(versions: Self.scripts)
        let forged = Tree(versions: ["other"] + Self.scripts.dropFirst())
        func launch(
            _ version: Int, log: JSON?, proof: StubServer.Answer? = nil, runs: Int?, says text: String
        ) async throws {
            let client = Self.client(version: version, log: log, growth: proof, folder.url)
            client.begin()
            await client.reported(text: text)
            await client.flushed()
            #expect(client.bundles == [runs.map { .number(JSONNumber($0)) }], "version \(version), \(text)")
            await client.ended()
        }
        try await launch(1, log: nil, runs: nil, says: "do not prove that it stands in the log")
        try await launch(2, log: tree.json(of: 1, size: 2), runs: nil, says: "does not stand in the log")
        try await launch(2, log: tree.json(of: 2, size: 2), runs: 2, says: "version 2 runs")
        // The server has no proof, one of another history, and one of this history.
        let later = tree.json(of: 3, size: 3)
        try await launch(3, log: later, runs: 2, says: "did not prove that the log of deployments only grew")
        try await launch(
            3, log: forged.json(of: 3, size: 3), proof: forged.answer(from: 2, to: 3), runs: 2,
            says: "has not only grown since this device saw it last")
        try await launch(3, log: later, proof: tree.answer(from: 2, to: 3), runs: 3, says: "version 3 runs")
        // An old head with a new version, and another log of the same length.
        try await launch(
            4, log: Tree(versions: [Self.scripts[0], Self.scripts[3]]).json(of: 2), runs: 3,
            says: "does not stand in the log")
        try await launch(
            4, log: Tree(versions: ["", "", "", Self.scripts[3]]).json(of: 4),
            proof: tree.answer(from: 3, to: 4), runs: 3, says: "has not only grown since this device saw it last")
        try await launch(
            4, log: tree.json(of: 4), proof: tree.answer(from: 3, to: 4), runs: 4, says: "version 4 runs")
    }

    @Test("A bundle from before the app asked for the log no longer runs")
    func before() async throws {
        let folder = try TemporaryFolder()
        let first = Deployment.client(Self.scripts[0], folder: folder.url)
        first.analytics.track(name: "A")
        await first.flushed()
        #expect(first.bundles == [1])
        await first.ended()
        let second = Self.client(version: 1, log: nil, folder.url)
        await second.flushed()
        #expect(second.bundles == [nil])
        await second.ended()
    }

    @Test("A head that is shorter or other than the last one is refused, whatever it proves")
    func heads() {
        let tree = Tree(versions: Self.scripts)
        let sha256 = ScriptBundle.sha256(of: Array(Self.scripts[1].utf8))
        func step(_ tree: Tree, size: Int, seen: LogHead?) -> LogStep {
            LogStep(version: 2, sha256: sha256, proof: LogProof(tree.json(of: 2, size: size)), seen: seen)
        }
        #expect(step(tree, size: 2, seen: nil) == .accepted(tree.head(2)))
        #expect(step(tree, size: 3, seen: tree.head(3)) == .accepted(tree.head(3)))
        #expect(step(tree, size: 3, seen: tree.head(2)) == .needsProof(since: tree.head(2)))
        #expect(
            step(tree, size: 3, seen: tree.head(4))
                == .refused("the log of deployments has 3 versions, and had 4 when this device saw it last"))
        let other = Tree(versions: ["other"] + Self.scripts.dropFirst())
        #expect(
            step(other, size: 3, seen: tree.head(3))
                == .refused("the log of deployments is another one than this device saw last"))
    }
}
