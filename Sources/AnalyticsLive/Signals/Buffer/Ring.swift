/// A first-in, first-out queue that reuses its storage. Elements move only when the storage grows.
struct Ring<Element> {
    private var places: [Element?] = []
    private var head = 0
    private(set) var count = 0

    var first: Element? { count == 0 ? nil : places[head] }

    mutating func append(_ element: Element) {
        if count == places.count { grow() }
        places[(head + count) % places.count] = element
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0, let element = places[head] else { return nil }
        places[head] = nil
        head = (head + 1) % places.count
        count -= 1
        return element
    }

    func forEach(_ body: (Element) -> Void) {
        for offset in 0..<count { if let element = places[(head + offset) % places.count] { body(element) } }
    }

    /// Doubles the storage, so a queue with few elements stays small.
    private mutating func grow() {
        var larger: [Element?] = []
        larger.reserveCapacity(max(16, places.count * 2))
        for offset in 0..<count { larger.append(places[(head + offset) % places.count]) }
        larger += Array(repeating: nil, count: max(16, count))
        places = larger
        head = 0
    }
}
