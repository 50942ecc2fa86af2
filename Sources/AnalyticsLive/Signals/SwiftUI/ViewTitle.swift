#if canImport(SwiftUI)
import SwiftUI

/// What a label says, as far as it can be seen from outside: its annotation, the key of a text, or the text itself.
@MainActor
enum ViewTitle {
    /// A label is small; a view that is not is not searched to its end.
    private static let depth = 12
    private static let children = 64

    static func of(_ key: LocalizedStringKey) -> ControlName { ControlName(text(in: key, depth)) }

    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    static func of(_ resource: LocalizedStringResource) -> ControlName { ControlName(resource.key) }

    static func of(_ title: some StringProtocol) -> ControlName { ControlName(String(title)) }

    /// The annotation of a view, or its first text.
    static func of(_ view: some View) -> ControlName {
        ControlName(annotation(in: view, depth) ?? text(in: view, depth))
    }

    private static func annotation(in value: Any, _ depth: Int) -> String? {
        if let annotation = value as? SignalAnnotation { return annotation.text }
        guard depth > 0 else { return nil }
        for child in Mirror(reflecting: value).children.prefix(children) {
            if let text = annotation(in: child.value, depth - 1) { return text }
        }
        return nil
    }

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
