// SwiftUI, as far as the client and its example use it: views are built, and what appears can be asked to.
@_exported public import Foundation

// Not read: swiftui/view
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { Self.stub() }
}

// Not read: swiftui/viewbuilder
@resultBuilder public struct ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        TupleView(value: (repeat each content))
    }
}

// Not read: swiftui/tupleview
nonisolated public struct TupleView<Value>: View {
    let value: Value
    public var body: Never { Never.stub() }
}

// Not read: swiftui/emptyview
nonisolated public struct EmptyView: View {
    nonisolated public init() {}
    public var body: Never { Never.stub() }
}

extension Never {
    static func stub() -> Never { while true {} }
}

// Not read: swiftui/text
nonisolated public struct Text: View, Equatable {
    /// What Apple's calls it, too: a key in the app's tables.
    package let key: String
    public init(_ key: LocalizedStringKey) { self.key = key.key }
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    @_disfavoredOverload public init(_ resource: LocalizedStringResource) { key = resource.key }
    @_disfavoredOverload public init<S: StringProtocol>(_ text: S) { key = String(text) }
    public var body: Never { Never.stub() }
    nonisolated public static func == (left: Text, right: Text) -> Bool { true }
}

// Not read: swiftui/hstack
nonisolated public struct HStack<Content: View>: View {
    public init(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {}
    public var body: Never { Never.stub() }
}

// Not read: swiftui/vstack
nonisolated public struct VStack<Content: View>: View {
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {}
    public var body: Never { Never.stub() }
}

// Not read: swiftui/viewmodifier
@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = _ViewModifier_Content<Self>
    @ViewBuilder func body(content: Content) -> Body
}

// Not read: swiftui/viewmodifier/content
/// What a modifier wraps.
nonisolated public struct _ViewModifier_Content<Modifier: ViewModifier>: View {
    package init() {}
    public var body: Never { Never.stub() }
}

// Not read: swiftui/modifiedcontent
nonisolated public struct ModifiedContent<Content, Modifier> {
    package let content: Content
    package let modifier: Modifier
}
extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    public var body: Never { Never.stub() }
}

// Ours: what such a view becomes for a test.
/// A view that does something when it appears; tests call `appear`.
nonisolated package struct Appearing<Content: View>: View {
    package let appear: (() -> Void)?
    public var body: Never { Never.stub() }
}

// Not read: swiftui/gesture
@MainActor @preconcurrency public protocol Gesture {
    associatedtype Value
}

// Not read: swiftui/_endedgesture
/// Tests end the gesture.
nonisolated public struct _EndedGesture<Base: Gesture>: Gesture {
    public typealias Value = Base.Value
    package let end: (Base.Value) -> Void
}

extension Gesture {
    nonisolated public func onEnded(_ action: @escaping (Value) -> Void) -> _EndedGesture<Self> {
        _EndedGesture(end: action)
    }
}

// Not read: swiftui/tapgesture
@available(tvOS 16.0, *)
nonisolated public struct TapGesture: Gesture {
    public typealias Value = Void
    public init(count: Int = 1) {}
}

// Ours: what such a view becomes for a test.
/// A view with a gesture beside its own.
nonisolated package struct Gesturing<Content: View, Added: Gesture>: View {
    package let gesture: Added
    public var body: Never { Never.stub() }
}

// Not read: swiftui/environmentkey
public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

// Not read: swiftui/environmentvalues
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]
    /// What views that are drawn at present find; tests set it by way of `Environmental.draw`, on one thread.
    nonisolated(unsafe) static var current = EnvironmentValues()
    public init() {}
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

// Not read: swiftui/environment
/// Reads what stands in the environment at the moment when a view is drawn.
@propertyWrapper nonisolated public struct Environment<Value> {
    private let path: KeyPath<EnvironmentValues, Value>
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { path = keyPath }
    public var wrappedValue: Value { EnvironmentValues.current[keyPath: path] }
}

// Ours: what such a view becomes for a test.
/// A view with something in its environment; tests draw what is in it.
nonisolated package struct Environmental<Content: View>: View {
    package let content: Content
    let change: (inout EnvironmentValues) -> Void
    public var body: Never { Never.stub() }

    /// Calls back with the content, as long as the environment is as this view has it.
    package func draw<Result>(_ draw: (Content) throws -> Result) rethrows -> Result {
        let outer = EnvironmentValues.current
        defer { EnvironmentValues.current = outer }
        change(&EnvironmentValues.current)
        return try draw(content)
    }
}

extension View {
    nonisolated public func environment<Value>(
        _ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
    ) -> some View {
        Environmental<Self>(content: self) { $0[keyPath: path] = value }
    }
    nonisolated public func simultaneousGesture<Added: Gesture>(_ gesture: Added) -> some View {
        Gesturing<Self, Added>(gesture: gesture)
    }
    nonisolated public func modifier<Modifier>(_ modifier: Modifier) -> ModifiedContent<Self, Modifier> {
        ModifiedContent(content: self, modifier: modifier)
    }
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        Appearing<Self>(appear: action)
    }
    @available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
    nonisolated public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }
}

// Not read: swiftui/scene
@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
@MainActor @preconcurrency public protocol Scene {}

// Not read: swiftui/windowgroup
@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
nonisolated public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}

// Not read: swiftui/app
@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
extension App {
    public static func main() {}
}

// Not read: swiftui/state
@propertyWrapper public struct State<Value> {
    private final class Box {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private let box: Box
    public init(wrappedValue: Value) { box = Box(wrappedValue) }
    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }
    public var projectedValue: Binding<Value> {
        // A view and its bindings stay on the main thread.
        nonisolated(unsafe) let state = self
        return Binding(get: { state.wrappedValue }, set: { state.wrappedValue = $0 })
    }
}
