import Crypto
import Foundation
package import TributaryJSON

/// The log of a source's deployments of live plugins: a Merkle tree over all versions (RFC 9162, section 2.1). Devices and
/// auditors use it to check that a version is no secret, and that history was not changed.
///
/// The versions are the log, so there is no second list that could differ. An entry is the text `VERSION SHA256`.
package struct BundleLog: Sendable, Equatable {
    /// A deployed version.
    package struct Entry: Sendable, Equatable {
        package let version: Int64
        /// SHA-256 of the bundle in hexadecimal.
        package let sha256: String

        package init(version: Int64, sha256: String) {
            self.version = version
            self.sha256 = sha256
        }
    }

    /// The statement for devices that a version stands in the log.
    package struct Proof: Sendable, Equatable {
        let size: Int
        let root: String
        let path: [String]

        /// - Parameter url: the address that proves how one head grew out of another.
        package func json(url: String) -> JSON {
            [
                "size": .number(size), "root": .string(root), "proof": .strings(path), "url": .string(url),
            ]
        }
    }

    private let leaves: [Data]

    package var size: Int { leaves.count }

    /// - Returns: nil when versions are missing, as after a repair that could not save all of them. A log with holes
    ///   proves nothing.
    package init?(_ entries: [Entry]) {
        guard entries.enumerated().allSatisfy({ $1.version == Int64($0 + 1) }) else { return nil }
        leaves = entries.map { Self.hash([0], Data("\($0.version) \($0.sha256)".utf8)) }
    }

    /// The hash over the first versions, in hexadecimal; over all of them without a size.
    package func root(size: Int? = nil) -> String { Self.root(leaves[..<(size ?? leaves.count)]).hexadecimal }

    /// The proof that a version stands in the log; nil when it does not.
    package func proof(of version: Int64) -> Proof? {
        guard version >= 1, version <= leaves.count else { return nil }
        let path = Self.path(of: Int(version) - 1, in: leaves[...])
        return Proof(size: leaves.count, root: root(), path: path.map(\.hexadecimal))
    }

    /// The proof that the first `size` versions begin with the first `earlier` ones (RFC 9162, section 2.1.4.1).
    package func consistency(from earlier: Int, to size: Int) throws(Refusal) -> [String] {
        guard earlier >= 1, earlier <= size, size <= leaves.count else {
            throw .invalid("from and to are numbers of versions, from 1 to \(leaves.count), and from is not above to")
        }
        return Self.consistency(earlier, in: leaves[..<size], isWhole: true).map(\.hexadecimal)
    }

    // MARK: The tree

    private static func hash(_ parts: [UInt8], _ data: Data...) -> Data {
        var digest = SHA256()
        digest.update(data: parts)
        for data in data { digest.update(data: data) }
        return Data(digest.finalize())
    }

    private static func root(_ leaves: ArraySlice<Data>) -> Data {
        guard let first = leaves.first else { return hash([]) }
        guard leaves.count > 1 else { return first }
        let (left, right) = halves(leaves)
        return hash([1], root(left), root(right))
    }

    private static func path(of index: Int, in leaves: ArraySlice<Data>) -> [Data] {
        guard leaves.count > 1 else { return [] }
        let (left, right) = halves(leaves)
        return index < left.count
            ? path(of: index, in: left) + [root(right)]
            : path(of: index - left.count, in: right) + [root(left)]
    }

    /// - Parameter isWhole: whether the earlier tree is a whole part of this one, of which the reader knows the root.
    private static func consistency(_ earlier: Int, in leaves: ArraySlice<Data>, isWhole: Bool) -> [Data] {
        guard earlier < leaves.count else { return isWhole ? [] : [root(leaves)] }
        let (left, right) = halves(leaves)
        return earlier <= left.count
            ? consistency(earlier, in: left, isWhole: isWhole) + [root(right)]
            : consistency(earlier - left.count, in: right, isWhole: false) + [root(left)]
    }

    /// The left part is the largest whole tree that leaves something to the right.
    private static func halves(_ leaves: ArraySlice<Data>) -> (left: ArraySlice<Data>, right: ArraySlice<Data>) {
        let count = 1 << (Int.bitWidth - 1 - (leaves.count - 1).leadingZeroBitCount)
        return (leaves.prefix(count), leaves.dropFirst(count))
    }
}

extension BundleLog.Entry {
    package var json: JSON { ["version": .number(version), "sha256": .string(sha256)] }
}
