/// The newest ids with their places, so that an append that is repeated is stored once.
package struct KnownIds {
    private static let capacity = 10_000
    private var places: [String: UInt64] = [:]
    private var order: [String] = []
    private var oldest = 0

    package init() {}

    package subscript(id: String) -> UInt64? { places[id] }

    package mutating func add(_ id: String, _ place: UInt64) {
        places[id] = place
        guard order.count == Self.capacity else {
            order.append(id)
            return
        }
        places[order[oldest]] = nil
        order[oldest] = id
        oldest = (oldest + 1) % Self.capacity
    }
}
