#if canImport(SwiftUI)
import SwiftUI
import Tributary

/// The text of a label, as far as it can be read from outside: its annotation, the key of a text, or the text itself.
enum ViewTitle {
    static func of(_ key: LocalizedStringKey) -> ControlName { search(key) }

    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    static func of(_ resource: LocalizedStringResource) -> ControlName {
        // Only the key goes along, because the resource is not Sendable before the SDK of iOS 18.
        let key = resource.key
        return ControlName { key }
    }

    static func of(_ title: some StringProtocol) -> ControlName {
        let title = String(title)
        return ControlName { title }
    }

    /// The annotation of a view, or its first text.
    static func of(_ view: some View) -> ControlName { search(view) }

    private static func search(_ label: Any) -> ControlName {
        let label = Handed(label)
        return ControlName { LabelSearch(label.value).result }
    }
}

/// Searches a label once and to a bounded depth, because a view with data of the app may lead anywhere.
@MainActor
struct LabelSearch {
    private static let depth = 12
    /// The number of values that are examined in all.
    private static let budget = 256

    private var left = budget
    private var annotation: String?
    private var text: String?

    init(_ view: Any) { look(at: view, Self.depth) }

    /// The first annotation, else the first text.
    var result: String? { annotation ?? text }

    private mutating func look(at value: Any, _ depth: Int) {
        if let found = value as? SignalAnnotation {
            annotation = found.text
            return
        }
        guard depth > 0 else { return }
        let mirror = Mirror(reflecting: value)
        // Only objects in which SwiftUI keeps texts are searched; others belong to the app.
        if mirror.displayStyle == .class, !"\(type(of: value))".hasSuffix("TextStorage") { return }
        // A dictionary belongs to the app as well, and its keys are not keys of texts.
        if mirror.displayStyle == .dictionary { return }
        for child in mirror.children {
            guard annotation == nil, left > 0 else { return }
            left -= 1
            guard let found = child.value as? String else {
                look(at: child.value, depth - 1)
                continue
            }
            if text == nil, child.label == "key" || child.label == "verbatim" { text = found }
        }
    }
}
#endif
