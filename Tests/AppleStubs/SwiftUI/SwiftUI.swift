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
@resultBuilder public enum ViewBuilder {
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
    public let key: String
    public init(_ key: LocalizedStringKey) { self.key = key.key }
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    @_disfavoredOverload public init(_ resource: LocalizedStringResource) { key = resource.key }
    @_disfavoredOverload public init<S: StringProtocol>(_ text: S) { key = String(text) }
    public var body: Never { Never.stub() }
    nonisolated public static func == (left: Text, right: Text) -> Bool { true }
}

// Not read: swiftui/hstack
nonisolated public struct HStack<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { Never.stub() }
}

// Not read: swiftui/vstack
nonisolated public struct VStack<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { Never.stub() }
}

// Not read: swiftui/viewmodifier
@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = ModifiedContent
    @ViewBuilder func body(content: Content) -> Body
}

// Ours: what such a view becomes for a test.
/// What a modifier wraps. On Apple's systems an opaque type.
nonisolated public struct ModifiedContent: View {
    public init() {}
    public var body: Never { Never.stub() }
}

// Ours: what a modifier makes of a view; an opaque type on Apple's systems.
nonisolated public struct Modified<Content: View, Modifier: ViewModifier>: View {
    public let content: Content
    public let modifier: Modifier
    public var body: Never { Never.stub() }
}

// Ours: what such a view becomes for a test.
/// A view that does something when it appears; tests call `appear`.
nonisolated public struct Appearing<Content: View>: View {
    public let appear: (() -> Void)?
    public var body: Never { Never.stub() }
}

// Not read: swiftui/gesture
@MainActor @preconcurrency public protocol Gesture {
    associatedtype Value
}

// Ours: what such a view becomes for a test.
/// On Apple's systems of another name; tests end the gesture.
nonisolated public struct EndedGesture<Base: Gesture>: Gesture {
    public typealias Value = Base.Value
    public let end: (Base.Value) -> Void
}

extension Gesture {
    nonisolated public func onEnded(_ action: @escaping (Value) -> Void) -> EndedGesture<Self> {
        EndedGesture(end: action)
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
nonisolated public struct Gesturing<Content: View, Added: Gesture>: View {
    public let gesture: Added
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
nonisolated public struct Environmental<Content: View>: View {
    public let content: Content
    let change: (inout EnvironmentValues) -> Void
    public var body: Never { Never.stub() }

    /// Calls back with the content, as long as the environment is as this view has it.
    public func draw<Result>(_ draw: (Content) throws -> Result) rethrows -> Result {
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
    nonisolated public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> Modified<Self, Modifier> {
        Modified(content: self, modifier: modifier)
    }
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        Appearing<Self>(appear: action)
    }
    nonisolated public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }
}

// Not read: swiftui/scene
@MainActor @preconcurrency public protocol Scene {}

// Not read: swiftui/windowgroup
nonisolated public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}

// Not read: swiftui/app
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}

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
}
