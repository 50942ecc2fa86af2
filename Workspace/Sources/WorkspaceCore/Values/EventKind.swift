/// The events of a type, of a name, or of both.
package struct EventKind: Sendable, Hashable {
    package let type: EventType?
    package let name: String?

    package init(type: EventType?, name: String?) { (self.type, self.name) = (type, name) }

    /// - Parameters:
    ///   - type: the bytes of a stored event's type.
    ///   - name: of its name; empty when it has none.
    func has(type: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer) -> Bool {
        if let wanted = self.type, !wanted.rawValue.utf8.elementsEqual(type) { return false }
        if let wanted = self.name, !wanted.utf8.elementsEqual(name) { return false }
        return true
    }
}
