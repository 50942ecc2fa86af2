/// A first-in, first-out queue. Removing an element is as cheap as adding one.
struct FIFO<Element> {
    private var elements: [Element?] = []
    private var head = 0

    /// The number of places at the front that may be empty before the rest moves up.
    private static var slack: Int { 256 }

    var count: Int { elements.count - head }
    var isEmpty: Bool { count == 0 }
    var first: Element? { head < elements.count ? elements[head] : nil }

    /// The element behind that many others.
    subscript(offset: Int) -> Element? { offset < count ? elements[head + offset] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= Self.slack, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Removes all elements that match, and keeps the order of the rest.
    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        let kept = elements[head...].filter { $0.map { !isRemoved($0) } ?? false }
        elements = Array(kept)
        head = 0
    }

    mutating func removeLast(_ count: Int) { elements.removeLast(min(count, self.count)) }

    func forEach(_ body: (Element) -> Void) {
        for element in elements[head...] { if let element { body(element) } }
    }
}

extension FIFO: Sendable where Element: Sendable {}
