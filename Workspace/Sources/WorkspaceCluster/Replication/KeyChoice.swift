import WorkspaceCore
import WorkspaceServer

/// Chooses the key with which a node seals new records, while the operator replaces the key node by node.
///
/// A node that has the new key keeps using the key of the last record until every node that answers has the new one. So
/// the operator can give the new key to the nodes in any order, and no node meets a record that it cannot open.
struct KeyChoice: Sendable, Equatable {
    /// The mark of the key that the operator gave this node for new records.
    let own: [UInt8]
    /// The mark of the last record's key; nil when there is no record, or none was seen.
    var last: [UInt8]?
    /// How many times in a row all nodes that answered had this node's key.
    private(set) var looks = 0

    /// How many times in a row are enough. A busy node may fail to answer once.
    static let enough = 10

    init(own: [UInt8]) { self.own = own }

    /// The mark of the key for the next record.
    var mark: [UInt8] {
        guard let last, last != own else { return own }
        return looks >= Self.enough ? own : last
    }

    /// - Parameter readers: for each node that answered, this one included, the marks of the keys that it has.
    mutating func note(_ readers: [[[UInt8]]]) {
        let isKnown = !readers.isEmpty && readers.allSatisfy { $0.contains(own) }
        looks = isKnown ? min(looks + 1, Self.enough) : 0
    }
}
