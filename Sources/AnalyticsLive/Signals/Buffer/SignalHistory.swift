/// The latest signals that were processed, as text, for a bundle that begins later. Bounded by number and by bytes.
struct SignalHistory {
    private struct Item {
        let index: Int
        let text: String
    }

    private var items = Ring<Item>()
    private var bytes = 0
    /// How many are kept.
    var capacity: Int {
        didSet { trim() }
    }

    init(capacity: Int) { self.capacity = capacity }

    /// The index of the oldest one.
    var oldest: Int { items.first?.index ?? 0 }

    mutating func append(_ record: SignalRecord) {
        items.append(Item(index: record.signal.index, text: record.text))
        bytes += record.text.utf8.count
        trim()
    }

    /// All of them as a JSON array, oldest first.
    var text: String {
        var texts: [String] = []
        items.forEach { texts.append($0.text) }
        return "[" + texts.joined(separator: ",") + "]"
    }

    /// The newest one stays, however large it is.
    private mutating func trim() {
        while items.count > 1, items.count > capacity || bytes > SignalLimits.bufferBytes {
            bytes -= items.popFirst()?.text.utf8.count ?? 0
        }
    }
}
