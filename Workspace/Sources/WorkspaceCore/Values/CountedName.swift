/// What events are counted under: their type and their name.
///
/// Names are compared by their bytes. `==` of texts also takes those for the same that only look the same.
package struct CountedName: Sendable, Hashable {
    package enum Label: Sendable, Hashable {
        /// A name as UTF-8.
        case name([UInt8])
        /// Events without a name, such as an identify.
        case none
        /// Events of all names that came when a day had as many names as are counted apart.
        case others
    }

    package let type: EventType
    package let label: Label

    package init(_ type: EventType, _ label: Label) { (self.type, self.label) = (type, label) }

    package init(_ type: EventType, name: String?) {
        self.init(type, name.map { .name(Array($0.utf8)) } ?? .none)
    }

    /// The name as a text; nil when there is none.
    package var text: String? {
        guard case .name(let bytes) = label else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
