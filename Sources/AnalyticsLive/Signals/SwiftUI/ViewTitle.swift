#if canImport(SwiftUI)
import SwiftUI

/// What a label says, as far as it can be seen from outside: the key of a text, or the text itself.
@MainActor
enum ViewTitle {
    /// A label is small; a view that is not is not searched to its end.
    private static let depth = 12
    private static let children = 64

    static func of(_ key: LocalizedStringKey) -> String? { text(in: key, depth) }

    static func of(_ title: some StringProtocol) -> String? { String(title) }

    /// The first text of a view.
    static func of(_ view: some View) -> String? { text(in: view, depth) }

    private static func text(in value: Any, _ depth: Int) -> String? {
        guard depth > 0 else { return nil }
        for child in Mirror(reflecting: value).children.prefix(children) {
            if let text = child.value as? String {
                if child.label == "key" || child.label == "verbatim" { return text }
            } else if let text = text(in: child.value, depth - 1) {
                return text
            }
        }
        return nil
    }
}
#endif
