#if canImport(SwiftUI)
public import SwiftUI
import TributaryJSON

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4), under
// the same names and with the same conditions. There is one.

/// A scroll view that emits a signal when the user has moved its content. Everything else is SwiftUI's.
///
/// Since the systems of 2024, SwiftUI says when the user scrolls. A gesture beside the scroll view's own, which older systems
/// need for that, would keep these from scrolling.
nonisolated public struct SignalScrollView<Content: View>: View {
    private let scroll: ScrollView<Content>
    private let name = ControlName()
    /// Kept by SwiftUI while the view is there, although the view itself is made again and again.
    @State private var way = ScrollWay.Holder()
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
        return followed(name)
        #endif
    }

    #if !os(tvOS)
    @MainActor @ViewBuilder private func followed(_ name: ControlName) -> some View {
        if #available(iOS 18.0, macOS 15.0, watchOS 11.0, visionOS 2.0, *) {
            scroll.onScrollPhaseChange { [way] _, phase, context in
                let place = context.geometry.contentOffset
                if let moved = way.value.take(isDriven: phase == .interacting, x: place.x, y: place.y) {
                    Self.scrolled(moved, name)
                }
            }
        } else {
            scroll.simultaneousGesture(
                DragGesture(minimumDistance: ScrollWay.shortest).onEnded {
                    Self.scrolled((Double(-$0.translation.width), Double(-$0.translation.height)), name)
                })
        }
    }

    @MainActor private static func scrolled(_ moved: (x: Double, y: Double), _ name: ControlName) {
        ControlSignals.emit(
            "ScrollView", name,
            [
                "action": "scroll", "direction": .string(ScrollWay.direction(moved)), "deltaX": .init(value: moved.x),
                "deltaY": .init(value: moved.y),
            ])
    }
    #endif
}
#endif
