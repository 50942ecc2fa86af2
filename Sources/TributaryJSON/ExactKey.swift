/// A key as JSON and JavaScript compare keys: byte by byte.
///
/// Swift's strings are equal when they are canonically equivalent; two keys that differ only so would become one.
struct ExactKey: Hashable {
    let text: String

    static func == (left: ExactKey, right: ExactKey) -> Bool { areSame(left.text, right.text) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// The length rules most pairs out without looking at a byte; the bytes are compared only on a match.
    static func areSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left == right && left.utf8.elementsEqual(right.utf8)
    }
}
