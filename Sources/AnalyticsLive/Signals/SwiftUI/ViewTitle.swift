#if canImport(SwiftUI)
import SwiftUI

/// The text of a label as far as it can be read from outside: its annotation, the key of a text, or the text itself.
@MainActor
enum ViewTitle {
    static func of(_ key: LocalizedStringKey) -> ControlName { ControlName { LabelSearch(key).result } }

    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    static func of(_ resource: LocalizedStringResource) -> ControlName { ControlName { resource.key } }

    static func of(_ title: some StringProtocol) -> ControlName { ControlName { String(title) } }

    /// The annotation of a view, or its first text.
    static func of(_ view: some View) -> ControlName { ControlName { LabelSearch(view).result } }
}

/// Searches a label once and to a bounded depth, because a view with the app's own data may lead anywhere.
@MainActor
struct LabelSearch {
    private static let depth = 12
    /// Values that are looked at, all together.
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
        // Only objects in which SwiftUI keeps texts are searched; others are the app's own.
        if mirror.displayStyle == .class, !"\(type(of: value))".hasSuffix("TextStorage") { return }
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
