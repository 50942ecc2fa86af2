// SwiftUI, as far as the inspector in the app uses it.

// Not read: swiftui/horizontalalignment
public struct HorizontalAlignment: Sendable {
    public static let leading = HorizontalAlignment()
    public static let center = HorizontalAlignment()
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

// Not read: swiftui/edge
public enum Edge: Int8, Sendable {
    case top, leading, bottom, trailing
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let all = Set(rawValue: 15)
    }
}

// Not read: swiftui/zstack
nonisolated public struct ZStack<Content: View>: View {
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {}
    public var body: Never { Never.stub() }
}

// Not read: swiftui/text/init(verbatim:)
extension Text {
    public init(verbatim content: String) { self.init(content) }
}

// Not read: swiftui/view
extension View {
    nonisolated public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { self }
    nonisolated public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View { self }
}

// Not read: swiftui/link
@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
nonisolated public struct Link<Label: View>: View {
    public init(destination: URL, @ViewBuilder label: () -> Label) {}
    @MainActor public var body: some View { EmptyView() }
}
