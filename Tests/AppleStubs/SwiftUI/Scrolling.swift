// What SwiftUI says of scroll views since the systems of 2024.

// https://developer.apple.com/documentation/swiftui/scrollphase
@available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
public enum ScrollPhase: Sendable, Equatable {
    case idle, tracking, interacting, decelerating, animating
}

// https://developer.apple.com/documentation/swiftui/scrollgeometry
@available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
public struct ScrollGeometry: Sendable {
    public var contentOffset: CGPoint
}

// https://developer.apple.com/documentation/swiftui/scrollphasechangecontext
@available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
public struct ScrollPhaseChangeContext {
    public var geometry: ScrollGeometry
    /// For tests.
    public init(x: Double, y: Double) { geometry = ScrollGeometry(contentOffset: CGPoint(x: x, y: y)) }
}

// Ours: what such a view becomes for a test.
/// A view that hears of the phases of scrolling; tests call `change`.
@available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
nonisolated package struct Scrolling<Content: View>: View {
    package let change: (ScrollPhase, ScrollPhase, ScrollPhaseChangeContext) -> Void
    public var body: Never { Never.stub() }
}

// https://developer.apple.com/documentation/swiftui/view/onscrollphasechange(_:)
extension View {
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    nonisolated public func onScrollPhaseChange(
        _ action: @escaping (ScrollPhase, ScrollPhase, ScrollPhaseChangeContext) -> Void
    ) -> some View {
        Scrolling<Self>(change: action)
    }
}
