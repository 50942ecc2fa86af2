// SwiftUI, as far as the debug overlay uses it.

// Not read: swiftui/horizontalalignment
public struct HorizontalAlignment: Sendable {
    public static let leading = HorizontalAlignment()
}

// Not read: swiftui/verticalalignment
public struct VerticalAlignment: Sendable {
    public static let center = VerticalAlignment()
}

// Not read: swiftui/alignment
public struct Alignment: Sendable {
    public static let bottomTrailing = Alignment()
    public static let center = Alignment()
}

// Not read: swiftui/zstack
nonisolated public struct ZStack<Content: View>: View {
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {}
    public var body: Never { Never.stub() }
}

// Not read: swiftui/vstack/init(alignment:spacing:content:)
extension VStack {
    public init(alignment: HorizontalAlignment, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.init(content: content)
    }
}

// Not read: swiftui/text/init(verbatim:)
extension Text {
    public init(verbatim content: String) { self.init(content) }
}

// Not read: swiftui/view
extension View {
    nonisolated public func padding(_ length: CGFloat? = nil) -> some View { self }
    nonisolated public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View { self }
}

// Not read: swiftui/state/projectedvalue
extension State {
    public var projectedValue: Binding<Value> {
        // A view and its bindings stay on the main thread.
        nonisolated(unsafe) let state = self
        return Binding(get: { state.wrappedValue }, set: { state.wrappedValue = $0 })
    }
}
