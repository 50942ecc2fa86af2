/// A text that is the same as another one only when both have the same bytes.
///
/// `==` of texts, and with it a set or a dictionary, also takes texts for the same that only look the same, such as an
/// accent that is written in one character or in two. Ids of two users may differ in that.
package struct ExactText: Sendable, Hashable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isSameText(as: right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
