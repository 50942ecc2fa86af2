/// Which key a node seals new records with, while the operator replaces the key node by node.
///
/// A node that has the new key goes on with the key of the last record until every node that answers can open the new one. So
/// nodes can be given the new key in any order, and none meets a record that it cannot open.
struct KeyChoice: Sendable, Equatable {
    /// The mark of the key that this node shall use.
    let own: [UInt8]
    /// The mark of the last record's key; nil when there is no record, or none was seen.
    var last: [UInt8]?
    /// How many looks at the nodes in a row found that all of them can open the own key.
    private(set) var looks = 0

    /// Looks that are enough. A node that is busy may not answer one.
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
