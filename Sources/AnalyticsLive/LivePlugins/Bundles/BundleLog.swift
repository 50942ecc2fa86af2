import Foundation
import Tributary
import TributaryCryptography
import TributaryJSON

/// The head of a log of deployments: a Merkle tree over all versions of a source (RFC 9162, section 2.1).
struct LogHead: Sendable, Equatable {
    /// The number of versions in the log.
    let size: Int
    /// The hash over all of them.
    let root: [UInt8]

    init(size: Int, root: [UInt8]) {
        self.size = size
        self.root = root
    }

    /// Reads `size` and `root` (hexadecimal); nil for anything else.
    init?(_ json: JSON?) {
        guard let size = json?["size"]?.intValue, (1...LogLimits.size).contains(size),
            let root = json?["root"]?.stringValue.flatMap(LogHash.init(hexadecimal:))
        else { return nil }
        self.init(size: size, root: root.bytes)
    }

    var json: JSON { ["size": .number(JSONNumber(size)), "root": .string(LogHash(bytes: root).hexadecimal)] }
}

/// The statement of the settings that a version stands in the log.
struct LogProof: Sendable, Equatable {
    let head: LogHead
    /// The hashes beside the way from the version to the root.
    let path: [[UInt8]]
    /// The address that proves how one head grew out of another.
    let url: URL

    /// Reads `log` of a version; nil when it is missing or incomplete.
    init?(_ json: JSON?) {
        guard let json, let head = LogHead(json), let path = Self.path(json["proof"]),
            let url = json["url"]?.stringValue.flatMap(URL.init(string:)),
            ["http", "https"].contains(url.scheme?.lowercased() ?? "")
        else { return nil }
        self.head = head
        self.path = path
        self.url = url
    }

    static func path(_ json: JSON?) -> [[UInt8]]? {
        guard let elements = json?.elements, elements.count <= LogLimits.path else { return nil }
        let hashes = elements.compactMap { $0.stringValue.flatMap(LogHash.init(hexadecimal:))?.bytes }
        return hashes.count == elements.count ? hashes : nil
    }

    /// The request for the proof that this head grew out of an earlier one.
    func request(since seen: LogHead) -> TransportRequest {
        var address = URLComponents(url: url, resolvingAgainstBaseURL: false)
        address?.queryItems = [
            URLQueryItem(name: "from", value: "\(seen.size)"), URLQueryItem(name: "to", value: "\(head.size)"),
        ]
        return TransportRequest(method: "GET", url: address?.url ?? url, headers: ["Accept": "application/json"])
    }
}

/// What a device does about a version that has to stand in the log.
enum LogStep: Sendable, Equatable {
    /// It stands in the log, and the log has grown since the last look.
    case accepted(LogHead)
    /// It stands in a log that is longer than the one before. The server has to prove that this log only grew.
    case needsProof(since: LogHead)
    /// It does not run.
    case refused(String)

    /// - Parameter seen: the last head that this device saw; nil before the first one.
    init(version: Int, sha256: String, proof: LogProof?, seen: LogHead?) {
        guard let proof else {
            self = .refused("the settings do not prove that it stands in the log of deployments")
            return
        }
        let leaf = LogHash.leaf(Array("\(version) \(sha256)".utf8))
        guard version >= 1, MerkleProof.includes(leaf, at: version - 1, path: proof.path, in: proof.head) else {
            self = .refused("it does not stand in the log of deployments")
            return
        }
        guard let seen, seen != proof.head else {
            self = .accepted(proof.head)
            return
        }
        if seen.size > proof.head.size {
            self = .refused(
                "the log of deployments has \(proof.head.size) versions, and had \(seen.size) when this device saw it last"
            )
        } else if seen.size == proof.head.size {
            self = .refused("the log of deployments is another one than this device saw last")
        } else {
            self = .needsProof(since: seen)
        }
    }

    /// Goes on with the server's answer to the request for the proof.
    init(_ answer: Result<TransportResponse, TransportError>, since seen: LogHead, to head: LogHead) {
        guard case .success(let response) = answer, (200..<300).contains(response.status),
            response.body.count <= LogLimits.answerBytes
        else {
            self = .refused("the server did not prove that the log of deployments only grew")
            return
        }
        guard let json = try? JSON.parse(response.body), let path = LogProof.path(json["proof"]),
            MerkleProof.shows(head, growsOutOf: seen, path: path)
        else {
            self = .refused("the log of deployments has not only grown since this device saw it last")
            return
        }
        self = .accepted(head)
    }
}

/// Checks proofs about a Merkle tree. Pure functions, for bytes of any origin.
enum MerkleProof {
    /// Whether a leaf stands at that place of the tree (RFC 9162, section 2.1.3.2).
    static func includes(_ leaf: [UInt8]?, at index: Int, path: [[UInt8]], in head: LogHead) -> Bool {
        guard var hash = leaf, index >= 0, index < head.size else { return false }
        var (node, last) = (index, head.size - 1)
        for sibling in path {
            guard last != 0 else { return false }
            if node & 1 == 1 || node == last {
                guard let next = LogHash.node(sibling, hash) else { return false }
                hash = next
                while node & 1 == 0, node != 0 { (node, last) = (node >> 1, last >> 1) }
            } else {
                guard let next = LogHash.node(hash, sibling) else { return false }
                hash = next
            }
            (node, last) = (node >> 1, last >> 1)
        }
        return last == 0 && hash == head.root
    }

    /// Whether a tree begins with all leaves of an earlier one (RFC 9162, section 2.1.4.2).
    static func shows(_ head: LogHead, growsOutOf earlier: LogHead, path: [[UInt8]]) -> Bool {
        guard earlier.size >= 1, earlier.size < head.size else { return earlier == head }
        let isWholeTree = earlier.size & (earlier.size - 1) == 0
        let hashes = isWholeTree ? [earlier.root] + path : path
        guard let first = hashes.first else { return false }
        var (node, last) = (earlier.size - 1, head.size - 1)
        while node & 1 == 1 { (node, last) = (node >> 1, last >> 1) }
        var (old, new) = (first, first)
        for sibling in hashes.dropFirst() {
            guard last != 0 else { return false }
            if node & 1 == 1 || node == last {
                guard let nextOld = LogHash.node(sibling, old), let nextNew = LogHash.node(sibling, new) else {
                    return false
                }
                (old, new) = (nextOld, nextNew)
                while node & 1 == 0, node != 0 { (node, last) = (node >> 1, last >> 1) }
            } else {
                guard let next = LogHash.node(new, sibling) else { return false }
                new = next
            }
            (node, last) = (node >> 1, last >> 1)
        }
        return last == 0 && old == earlier.root && new == head.root
    }
}

/// A SHA-256 hash of the log.
struct LogHash {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads 64 hexadecimal digits; nil for anything else.
    init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 64, text.utf8.count == 64 else { return nil }
        bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    var hexadecimal: String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    /// The hash of an entry; nil when the system's library fails.
    static func leaf(_ data: [UInt8]) -> [UInt8]? { SHA256Digest.of([0] + data) }

    /// The hash of two subtrees; nil when the system's library fails.
    static func node(_ left: [UInt8], _ right: [UInt8]) -> [UInt8]? { SHA256Digest.of([1] + left + right) }
}

private enum LogLimits {
    /// Versions of a source.
    static let size = 1 << 31
    /// Hashes of a proof: two for each level of the largest tree.
    static let path = 64
    /// Bytes of an answer: a proof has at most 64 hashes of 67 bytes.
    static let answerBytes = 16_384
}
