#if canImport(SwiftUI)
public import SwiftUI
import TributaryJSON

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4), under
// the same names and with the same conditions. There is one.

/// A scroll view that emits a signal when a drag over it ends. Everything else is SwiftUI's.
nonisolated public struct SignalScrollView<Content: View>: View {
    private let scroll: ScrollView<Content>
    private let name = ControlName()
    @Environment(\.signalAnnotation) private var annotation

    /// Content that scrolls along one or both axes.
    public init(
        _ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content
    ) {
        scroll = ScrollView(axes, showsIndicators: showsIndicators, content: content)
    }

    @MainActor public var body: some View {
        #if os(tvOS)
        return scroll
        #else
        let name = name
        name.annotation = annotation
        return scroll.simultaneousGesture(
            DragGesture(minimumDistance: Self.shortestDrag).onEnded { Self.scrolled($0.translation, name) })
        #endif
    }

    /// The distance in points from which a movement counts as a drag.
    private static var shortestDrag: CGFloat { 10 }

    #if !os(tvOS)
    @MainActor private static func scrolled(_ way: CGSize, _ name: ControlName) {
        let direction =
            abs(way.height) >= abs(way.width)
            ? (way.height < 0 ? "down" : "up") : (way.width < 0 ? "right" : "left")
        ControlSignals.emit(
            "ScrollView", name,
            [
                "action": "scroll", "direction": .string(direction), "deltaX": .init(value: Double(-way.width)),
                "deltaY": .init(value: Double(-way.height)),
            ])
    }
    #endif
}
#endif
