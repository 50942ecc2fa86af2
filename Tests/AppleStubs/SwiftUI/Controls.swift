// Controls of SwiftUI, as far as the client wraps them. They do what a user would do with them: tests call `action`, write to
// `value`, end an editing.
//
// Above each type stand the pages that were read, of the SDKs of iOS 26 and 27. All of these call the initialisers nonisolated.
// An initialiser without a page of its own differs from one with a page in the kind of title only. Deprecations of iOS 27 are
// left out, because the newest version that is compiled for is 26.
@_exported public import Foundation

// Not read: swiftui/localizedstringkey
public struct LocalizedStringKey: ExpressibleByStringInterpolation {
    let key: String
    public init(_ value: String) { key = value }
    public init(stringLiteral value: String) { key = value }
}

// Not read: foundation/localizedstringresource
/// Foundation's, which Linux has not.
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
public struct LocalizedStringResource: ExpressibleByStringInterpolation {
    public let key: String
    public init(stringLiteral value: String) { key = value }
}

// Not read: swiftui/image
nonisolated public struct Image: View {
    @available(iOS 13.0, macOS 11.0, tvOS 13.0, watchOS 6.0, *)
    public init(systemName: String) {}
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public init(_ resource: ImageResource) {}
    public var body: Never { Never.stub() }
}

// Not read: swiftui/label
@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
nonisolated public struct Label<Title: View, Icon: View>: View {
    let title: Title
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) { self.title = title() }
    public var body: Never { Never.stub() }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
extension Label where Title == Text, Icon == Image {
    public init(_ title: LocalizedStringKey, systemImage: String) { self.title = Text(title) }
}

// Not read: swiftui/imageresource
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
public struct ImageResource: Hashable { package init() {} }

// Not read: swiftui/buttonrole
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
public struct ButtonRole: Equatable, Sendable {
    public static let destructive = ButtonRole()
    public static let cancel = ButtonRole()
}

// Not read: swiftui/axis
public enum Axis: Int8, Sendable {
    case horizontal, vertical
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let horizontal = Set(rawValue: 1)
        public static let vertical = Set(rawValue: 2)
    }
}

// https://developer.apple.com/documentation/swiftui/textfield/init(text:selection:prompt:axis:label:)
@available(iOS 18.0, macOS 15.0, visionOS 2.0, *)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
public struct TextSelection: Equatable, Hashable {}

// Not read: swiftui/transaction
public struct Transaction { public init() {} }

// Not read: swiftui/binding
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    private let read: () -> Value
    private let write: (Value, Transaction) -> Void
    @preconcurrency public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
        read = get
        write = { value, _ in set(value) }
    }
    @preconcurrency public init(
        get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value, Transaction) -> Void
    ) {
        read = get
        write = set
    }
    init(_ read: @escaping () -> Value, _ write: @escaping (Value, Transaction) -> Void) {
        self.read = read
        self.write = write
    }
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue, Transaction()) }
    }
    public var projectedValue: Binding<Value> { self }
    public func transaction(_ transaction: Transaction) -> Binding<Value> {
        Binding(read) { value, _ in write(value, transaction) }
    }
    public subscript<Subject>(dynamicMember path: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>({ wrappedValue[keyPath: path] }, { value, _ in wrappedValue[keyPath: path] = value })
    }
    public static func constant(_ value: Value) -> Binding<Value> { Binding<Value>({ value }, { _, _ in }) }
}

// Not read: swiftui/focusstate
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
@propertyWrapper public struct FocusState<Value: Hashable> {
    public struct Binding {}
    private var value: Value
    public init() where Value == Bool { value = false }
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
    public var projectedValue: Binding { Binding() }
}

// Not read: swiftui/primitivebuttonstyleconfiguration
nonisolated public struct PrimitiveButtonStyleConfiguration {
    nonisolated public struct Label: View { public var body: Never { Never.stub() } }
    public let label: Label
    public func trigger() {}
}

// Not read: swiftui/togglestyleconfiguration
nonisolated public struct ToggleStyleConfiguration {
    nonisolated public struct Label: View { public var body: Never { Never.stub() } }
    public let label: Label
    @Binding public var isOn: Bool
}

/// Ours: what becomes of a view that watches a value; tests say that it changed.
nonisolated package struct Changing<Content: View, Value>: View {
    package let content: Content
    package let change: (Value) -> Void
    public var body: Never { Never.stub() }
}

// Ours: what becomes of a view with a focus.
nonisolated package struct Focusable<Content: View>: View {
    package let content: Content
    public var body: Never { Never.stub() }
}

// Ours: what such a view becomes for a test.
/// A view that does something when it disappears; tests call `disappear`.
nonisolated package struct Disappearing<Content: View>: View {
    package let content: Content
    package let disappear: (() -> Void)?
    public var body: Never { Never.stub() }
}

extension View {
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        Disappearing<Self>(content: self, disappear: action)
    }
    // https://developer.apple.com/documentation/swiftui/view/onchange(of:perform:)
    @available(iOS, introduced: 14.0, deprecated: 17.0)
    @available(macOS, introduced: 11.0, deprecated: 14.0)
    @available(tvOS, introduced: 14.0, deprecated: 17.0)
    @available(watchOS, introduced: 7.0, deprecated: 10.0)
    @available(visionOS, introduced: 1.0, deprecated: 1.0)
    nonisolated public func onChange<V: Equatable>(
        of value: V, perform action: @escaping (_ newValue: V) -> Void
    ) -> some View { Changing<Self, V>(content: self, change: action) }
    // https://developer.apple.com/documentation/swiftui/view/onchange(of:initial:_:)-4psgg
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    nonisolated public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View { Changing<Self, V>(content: self, change: { action(value, $0) }) }
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    nonisolated public func focused(_ condition: FocusState<Bool>.Binding) -> some View {
        Focusable<Self>(content: self)
    }
}

// Not read: swiftui/_conditionalcontent
nonisolated public struct _ConditionalContent<First: View, Second: View>: View {
    public let first: First?
    public let second: Second?
    public var body: Never { Never.stub() }
}

extension ViewBuilder {
    public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<
        First, Second
    > {
        _ConditionalContent(first: first, second: nil)
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<
        First, Second
    > {
        _ConditionalContent(first: nil, second: second)
    }
    @available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView {
        AnyView(content)
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
}

extension Optional: View where Wrapped: View {
    public var body: Never { Never.stub() }
}

// Not read: swiftui/anyview
nonisolated public struct AnyView: View {
    package let view: Any
    public init<V: View>(_ view: V) { self.view = view }
    public var body: Never { Never.stub() }
}

// https://developer.apple.com/documentation/swiftui/foreach/init(_:content:)-ktgx
nonisolated public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}
extension ForEach where Data == Range<Int>, ID == Int, Content: View {
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {}
}
extension ForEach: View where Content: View {
    public var body: Never { Never.stub() }
}
// Not read: swiftui/outlinegroup
@available(iOS 14.0, macOS 11.0, *)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
nonisolated public struct OutlineGroup<Data, ID, Parent, Leaf, Subgroup>
where Data: RandomAccessCollection, ID: Hashable {}
@available(iOS 14.0, macOS 11.0, *)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
extension OutlineGroup: View where Parent: View, Leaf: View, Subgroup: View {
    public var body: Never { Never.stub() }
}
// Not read: swiftui/outlinesubgroupchildren
@available(iOS 14.0, macOS 11.0, *)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
nonisolated public struct OutlineSubgroupChildren: View { public var body: Never { Never.stub() } }
// Not read: swiftui/disclosuregroup
@available(iOS 14.0, macOS 11.0, *)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
nonisolated public struct DisclosureGroup<Label: View, Content: View>: View { public var body: Never { Never.stub() } }

// Not read: swiftui/navigationpath
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
public struct NavigationPath {
    private var values: [AnyHashable] = []
    public init() {}
    public var count: Int { values.count }
    public mutating func append<V: Hashable>(_ value: V) { values.append(value) }
    public mutating func removeLast(_ k: Int = 1) { values.removeLast(k) }
}

// Not read: swiftui/draggesture
@available(tvOS, unavailable)
nonisolated public struct DragGesture: Gesture {
    public struct Value: Equatable, Sendable {
        public package(set) var translation: CGSize
        package init(translation: CGSize) { self.translation = translation }
    }
    public init(minimumDistance: CGFloat = 10) {}
}

// Not read: swiftui/tabcontent
@available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
@MainActor @preconcurrency public protocol TabContent<TabValue> {
    associatedtype TabValue: Hashable
}

// https://developer.apple.com/documentation/swiftui/tabcontentbuilder/content
@available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
@resultBuilder public struct TabContentBuilder<TabValue: Hashable> {
    nonisolated public struct Content<C>: View { public var body: Never { Never.stub() } }
    public static func buildBlock<C: TabContent>(_ content: C) -> C where C.TabValue == TabValue { content }
}

// https://developer.apple.com/documentation/swiftui/button
// https://developer.apple.com/documentation/swiftui/button/init(action:label:)
// https://developer.apple.com/documentation/swiftui/button/init(_:action:)-lpm7
// https://developer.apple.com/documentation/swiftui/button/init(_:systemimage:action:)
// https://developer.apple.com/documentation/swiftui/button/init(_:systemimage:role:action:)
// https://developer.apple.com/documentation/swiftui/button/init(_:image:action:)
// https://developer.apple.com/documentation/swiftui/button/init(_:image:role:action:)
nonisolated public struct Button<Label: View>: View {
    package var action: @MainActor () -> Void = {}
    public var body: Never { Never.stub() }
}

extension Button {
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) { self.action = action }
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.action = action
    }
}

extension Button where Label == Text {
    public init(_ title: LocalizedStringKey, action: @escaping @MainActor () -> Void) { self.action = action }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) { self.action = action }
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init(_ title: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.action = action
    }
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *) @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.action = action
    }
}

// https://developer.apple.com/documentation/swiftui/button/init(_:systemimage:action:)
// https://developer.apple.com/documentation/swiftui/button/init(_:systemimage:role:action:)
// https://developer.apple.com/documentation/swiftui/button/init(_:image:action:)
@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
extension Button where Label == SwiftUI.Label<Text, Image> {
    public init(_ title: LocalizedStringKey, systemImage: String, action: @escaping @MainActor () -> Void) {
        self.action = action
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage: String, action: @escaping @MainActor () -> Void) {
        self.action = action
    }
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init(
        _ title: LocalizedStringKey, systemImage: String, role: ButtonRole?, action: @escaping @MainActor () -> Void
    ) { self.action = action }
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, systemImage: String, role: ButtonRole?, action: @escaping @MainActor () -> Void
    ) { self.action = action }
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public init(_ title: LocalizedStringKey, image: ImageResource, action: @escaping @MainActor () -> Void) {
        self.action = action
    }
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, image: ImageResource, action: @escaping @MainActor () -> Void) {
        self.action = action
    }
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public init(
        _ title: LocalizedStringKey, image: ImageResource, role: ButtonRole?, action: @escaping @MainActor () -> Void
    ) { self.action = action }
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, image: ImageResource, role: ButtonRole?, action: @escaping @MainActor () -> Void
    ) { self.action = action }
}

// Not read: swiftui/defaultbuttonlabel
@available(iOS 26.0, macOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
nonisolated public struct DefaultButtonLabel: View { public var body: Never { Never.stub() } }

@available(iOS 26.0, macOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
extension Button where Label == DefaultButtonLabel {
    public init(role: ButtonRole, action: @escaping @MainActor () -> Void) { self.action = action }
}

extension Button where Label == PrimitiveButtonStyleConfiguration.Label {
    public init(_ configuration: PrimitiveButtonStyleConfiguration) {}
}

// https://developer.apple.com/documentation/swiftui/textfield/init(_:text:oneditingchanged:oncommit:)-588cl
// https://developer.apple.com/documentation/swiftui/textfield/init(_:text:oncommit:)
// https://developer.apple.com/documentation/swiftui/textfield/init(_:text:prompt:axis:)
// https://developer.apple.com/documentation/swiftui/textfield/init(_:text:selection:prompt:axis:)
// https://developer.apple.com/documentation/swiftui/textfield/init(_:value:formatter:oneditingchanged:oncommit:)
// https://developer.apple.com/documentation/swiftui/textfield/init(text:prompt:label:)
// https://developer.apple.com/documentation/swiftui/textfield/init(text:prompt:axis:label:)
// https://developer.apple.com/documentation/swiftui/textfield/init(text:selection:prompt:axis:label:)
nonisolated public struct TextField<Label: View>: View {
    public var body: Never { Never.stub() }
}

extension TextField where Label == Text {
    public init(_ title: LocalizedStringKey, text: Binding<String>) {}
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {}
    public init(
        _ title: LocalizedStringKey, text: Binding<String>, onEditingChanged: @escaping (Bool) -> Void,
        onCommit: @escaping () -> Void = {}
    ) {}
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, text: Binding<String>, onEditingChanged: @escaping (Bool) -> Void,
        onCommit: @escaping () -> Void = {}
    ) {}
    public init(_ title: LocalizedStringKey, text: Binding<String>, onCommit: @escaping () -> Void) {}
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, onCommit: @escaping () -> Void) {}
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init(_ title: LocalizedStringKey, text: Binding<String>, prompt: Text?) {}
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *) @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text?) {}
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init(_ title: LocalizedStringKey, text: Binding<String>, axis: Axis) {}
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *) @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, axis: Axis) {}
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init(_ title: LocalizedStringKey, text: Binding<String>, prompt: Text?, axis: Axis) {}
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *) @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text?, axis: Axis) {}
    @available(iOS 18.0, macOS 15.0, visionOS 2.0, *) @available(tvOS, unavailable) @available(watchOS, unavailable)
    public init(
        _ title: LocalizedStringKey, text: Binding<String>, selection: Binding<TextSelection?>, prompt: Text? = nil,
        axis: Axis? = nil
    ) {}
    @available(iOS 18.0, macOS 15.0, visionOS 2.0, *) @available(tvOS, unavailable) @available(watchOS, unavailable)
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, text: Binding<String>, selection: Binding<TextSelection?>, prompt: Text? = nil, axis: Axis? = nil
    ) {}
    public init<V>(_ title: LocalizedStringKey, value: Binding<V>, formatter: Formatter) {}
    @_disfavoredOverload
    public init<S: StringProtocol, V>(_ title: S, value: Binding<V>, formatter: Formatter) {}
    public init<V>(
        _ title: LocalizedStringKey, value: Binding<V>, formatter: Formatter,
        onEditingChanged: @escaping (Bool) -> Void, onCommit: @escaping () -> Void = {}
    ) {}
    @_disfavoredOverload
    public init<S: StringProtocol, V>(
        _ title: S, value: Binding<V>, formatter: Formatter, onEditingChanged: @escaping (Bool) -> Void,
        onCommit: @escaping () -> Void = {}
    ) {}
    public init<V>(_ title: LocalizedStringKey, value: Binding<V>, formatter: Formatter, onCommit: @escaping () -> Void)
    {}
    @_disfavoredOverload
    public init<S: StringProtocol, V>(
        _ title: S, value: Binding<V>, formatter: Formatter, onCommit: @escaping () -> Void
    ) {}
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init<V>(_ title: LocalizedStringKey, value: Binding<V>, formatter: Formatter, prompt: Text?) {}
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *) @_disfavoredOverload
    public init<S: StringProtocol, V>(_ title: S, value: Binding<V>, formatter: Formatter, prompt: Text?) {}
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init<F: ParseableFormatStyle>(
        _ title: LocalizedStringKey, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil
    ) where F.FormatOutput == String {}
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *) @_disfavoredOverload
    public init<S: StringProtocol, F: ParseableFormatStyle>(
        _ title: S, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil
    ) where F.FormatOutput == String {}
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init<F: ParseableFormatStyle>(
        _ title: LocalizedStringKey, value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil
    ) where F.FormatOutput == String {}
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *) @_disfavoredOverload
    public init<S: StringProtocol, F: ParseableFormatStyle>(
        _ title: S, value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil
    ) where F.FormatOutput == String {}
}

extension TextField {
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {}
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init(text: Binding<String>, prompt: Text? = nil, axis: Axis, @ViewBuilder label: () -> Label) {}
    @available(iOS 18.0, macOS 15.0, visionOS 2.0, *) @available(tvOS, unavailable) @available(watchOS, unavailable)
    public init(
        text: Binding<String>, selection: Binding<TextSelection?>, prompt: Text? = nil, axis: Axis? = nil,
        @ViewBuilder label: () -> Label
    ) {}
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init<V>(value: Binding<V>, formatter: Formatter, prompt: Text? = nil, @ViewBuilder label: () -> Label) {}
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init<F: ParseableFormatStyle>(
        value: Binding<F.FormatInput>, format: F, prompt: Text? = nil, @ViewBuilder label: () -> Label
    ) where F.FormatOutput == String {}
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init<F: ParseableFormatStyle>(
        value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil, @ViewBuilder label: () -> Label
    ) where F.FormatOutput == String {}
}

// https://developer.apple.com/documentation/swiftui/securefield
// https://developer.apple.com/documentation/swiftui/securefield/init(_:text:)
// https://developer.apple.com/documentation/swiftui/securefield/init(_:text:oncommit:)
// https://developer.apple.com/documentation/swiftui/securefield/init(_:text:prompt:)
// https://developer.apple.com/documentation/swiftui/securefield/init(text:prompt:label:)
nonisolated public struct SecureField<Label: View>: View {
    public var body: Never { Never.stub() }
}

extension SecureField where Label == Text {
    public init(_ title: LocalizedStringKey, text: Binding<String>) {}
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {}
    public init(_ title: LocalizedStringKey, text: Binding<String>, onCommit: @escaping () -> Void) {}
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, onCommit: @escaping () -> Void) {}
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init(_ title: LocalizedStringKey, text: Binding<String>, prompt: Text?) {}
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *) @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text?) {}
}

extension SecureField {
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {}
}

// https://developer.apple.com/documentation/swiftui/toggle
// https://developer.apple.com/documentation/swiftui/toggle/init(ison:label:)
// https://developer.apple.com/documentation/swiftui/toggle/init(_:ison:)
// https://developer.apple.com/documentation/swiftui/toggle/init(_:systemimage:ison:)
// https://developer.apple.com/documentation/swiftui/toggle/init(sources:ison:label:)
// https://developer.apple.com/documentation/swiftui/toggle/init(_:)
nonisolated public struct Toggle<Label: View>: View {
    package var values: [Binding<Bool>] = []
    public var body: Never { Never.stub() }
}

extension Toggle {
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) { values = [isOn] }
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init<C: RandomAccessCollection>(
        sources: C, isOn: KeyPath<C.Element, Binding<Bool>>, @ViewBuilder label: () -> Label
    ) { values = sources.map { $0[keyPath: isOn] } }
}

extension Toggle where Label == ToggleStyleConfiguration.Label {
    public init(_ configuration: ToggleStyleConfiguration) {}
}

extension Toggle where Label == Text {
    public init(_ title: LocalizedStringKey, isOn: Binding<Bool>) { values = [isOn] }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) { values = [isOn] }
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringKey, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) { values = sources.map { $0[keyPath: isOn] } }
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *) @_disfavoredOverload
    public init<S: StringProtocol, C: RandomAccessCollection>(
        _ title: S, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) { values = sources.map { $0[keyPath: isOn] } }
}

// https://developer.apple.com/documentation/swiftui/toggle/init(_:systemimage:ison:)
// https://developer.apple.com/documentation/swiftui/toggle/init(_:systemimage:sources:ison:)
// https://developer.apple.com/documentation/swiftui/toggle/init(_:image:ison:)
@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
extension Toggle where Label == SwiftUI.Label<Text, Image> {
    public init(_ title: LocalizedStringKey, systemImage: String, isOn: Binding<Bool>) { values = [isOn] }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage: String, isOn: Binding<Bool>) { values = [isOn] }
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public init(_ title: LocalizedStringKey, image: ImageResource, isOn: Binding<Bool>) { values = [isOn] }
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, image: ImageResource, isOn: Binding<Bool>) { values = [isOn] }
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringKey, systemImage: String, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) { values = sources.map { $0[keyPath: isOn] } }
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, C: RandomAccessCollection>(
        _ title: S, systemImage: String, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) { values = sources.map { $0[keyPath: isOn] } }
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringKey, image: ImageResource, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) { values = sources.map { $0[keyPath: isOn] } }
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, C: RandomAccessCollection>(
        _ title: S, image: ImageResource, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) { values = sources.map { $0[keyPath: isOn] } }
}

// https://developer.apple.com/documentation/swiftui/picker/init(selection:content:label:)
// https://developer.apple.com/documentation/swiftui/picker/init(sources:selection:content:label:)
// https://developer.apple.com/documentation/swiftui/picker/init(selection:content:label:currentvaluelabel:)
// https://developer.apple.com/documentation/swiftui/picker/init(sources:selection:content:label:currentvaluelabel:)
// https://developer.apple.com/documentation/swiftui/picker/init(_:selection:content:)-5njtq
// https://developer.apple.com/documentation/swiftui/picker/init(selection:label:content:)
nonisolated public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View {
    package var value: Binding<SelectionValue>
    package var values: [Binding<SelectionValue>] = []
    public var body: Never { Never.stub() }
}

extension Picker {
    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label
    ) { value = selection }
}

extension Picker {
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init<C: RandomAccessCollection>(
        sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>, @ViewBuilder content: () -> Content,
        @ViewBuilder label: () -> Label
    ) { self.init(sources.map { $0[keyPath: selection] }) }
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> some View
    ) { self.init([selection]) }
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public init<C: RandomAccessCollection>(
        sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>, @ViewBuilder content: () -> Content,
        @ViewBuilder label: () -> Label, @ViewBuilder currentValueLabel: () -> some View
    ) { self.init(sources.map { $0[keyPath: selection] }) }

    private init(_ values: [Binding<SelectionValue>]) {
        guard let first = values.first else { Never.stub() }
        value = first
        self.values = values
    }
}

extension Picker where Label == Text {
    public init(_ title: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content) {
        value = selection
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content)
    { value = selection }
}

// https://developer.apple.com/documentation/swiftui/picker/init(_:systemimage:selection:content:)
// https://developer.apple.com/documentation/swiftui/picker/init(_:systemimage:sources:selection:content:)
@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
extension Picker where Label == SwiftUI.Label<Text, Image> {
    public init(
        _ title: LocalizedStringKey, systemImage: String, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) { value = selection }
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, systemImage: String, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) { value = selection }
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public init(
        _ title: LocalizedStringKey, image: ImageResource, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) { value = selection }
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, image: ImageResource, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) { value = selection }
}

// https://developer.apple.com/documentation/swiftui/slider
// https://developer.apple.com/documentation/swiftui/slider/init(value:in:oneditingchanged:)
// https://developer.apple.com/documentation/swiftui/slider/init(value:in:label:oneditingchanged:)
// https://developer.apple.com/documentation/swiftui/slider/init(value:in:step:label:minimumvaluelabel:maximumvaluelabel:oneditingchanged:)
// https://developer.apple.com/documentation/swiftui/slider/init(value:in:neutralvalue:enabledbounds:label:currentvaluelabel:minimumvaluelabel:maximumvaluelabel:ticks:oneditingchanged:)
// https://developer.apple.com/documentation/swiftui/slider/init(value:in:step:neutralvalue:enabledbounds:label:currentvaluelabel:minimumvaluelabel:maximumvaluelabel:tick:oneditingchanged:)
@available(tvOS, unavailable)
nonisolated public struct Slider<Label: View, ValueLabel: View>: View {
    package var editing: (Bool) -> Void = { _ in }
    public var body: Never { Never.stub() }
}

@available(tvOS, unavailable)
extension Slider {
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { editing = onEditingChanged }
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { editing = onEditingChanged }
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, onEditingChanged: @escaping (Bool) -> Void = { _ in },
        minimumValueLabel: ValueLabel, maximumValueLabel: ValueLabel, @ViewBuilder label: () -> Label
    ) where V.Stride: BinaryFloatingPoint { editing = onEditingChanged }
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }, minimumValueLabel: ValueLabel,
        maximumValueLabel: ValueLabel, @ViewBuilder label: () -> Label
    ) where V.Stride: BinaryFloatingPoint { editing = onEditingChanged }
}

@available(tvOS, unavailable)
extension Slider where ValueLabel == EmptyView {
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { editing = onEditingChanged }
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { editing = onEditingChanged }
    @_disfavoredOverload public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, onEditingChanged: @escaping (Bool) -> Void = { _ in },
        @ViewBuilder label: () -> Label
    ) where V.Stride: BinaryFloatingPoint { editing = onEditingChanged }
    @_disfavoredOverload public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }, @ViewBuilder label: () -> Label
    ) where V.Stride: BinaryFloatingPoint { editing = onEditingChanged }
}

@available(tvOS, unavailable)
extension Slider where Label == EmptyView, ValueLabel == EmptyView {
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { editing = onEditingChanged }
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { editing = onEditingChanged }
}

// Not read: swiftui/slidertickcontent
@available(iOS 26.0, macOS 26.0, watchOS 26.0, visionOS 26.0, *)
@available(tvOS, unavailable)
public protocol SliderTickContent<Value> {
    associatedtype Value: BinaryFloatingPoint
}

// Not read: swiftui/slidertick
@available(iOS 26.0, macOS 26.0, watchOS 26.0, visionOS 26.0, *)
@available(tvOS, unavailable)
public struct SliderTick<V: BinaryFloatingPoint>: SliderTickContent {
    public typealias Value = V
    public init(_ value: V) {}
}

// Not read: swiftui/slidertickbuilder
@available(iOS 26.0, macOS 26.0, watchOS 26.0, visionOS 26.0, *)
@available(tvOS, unavailable)
@resultBuilder public struct SliderTickBuilder<V: BinaryFloatingPoint> {
    public static func buildBlock<Ticks: SliderTickContent>(_ ticks: Ticks) -> Ticks where Ticks.Value == V { ticks }
}

@available(iOS 26.0, macOS 26.0, watchOS 26.0, visionOS 26.0, *)
@available(tvOS, unavailable)
extension Slider {
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, neutralValue: V? = nil,
        enabledBounds: ClosedRange<V>? = nil, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> some View = { EmptyView() },
        @ViewBuilder minimumValueLabel: () -> ValueLabel,
        @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { editing = onEditingChanged }
    public init<V>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, neutralValue: V? = nil,
        enabledBounds: ClosedRange<V>? = nil, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> some View = { EmptyView() },
        @ViewBuilder minimumValueLabel: () -> ValueLabel,
        @ViewBuilder maximumValueLabel: () -> ValueLabel,
        @SliderTickBuilder<V> ticks: () -> some SliderTickContent<V>,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { editing = onEditingChanged }
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, neutralValue: V? = nil,
        enabledBounds: ClosedRange<V>? = nil, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> some View = { EmptyView() },
        @ViewBuilder minimumValueLabel: () -> ValueLabel,
        @ViewBuilder maximumValueLabel: () -> ValueLabel,
        tick: (V) -> SliderTick<V>? = { _ in nil }, onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint { editing = onEditingChanged }
}

// https://developer.apple.com/documentation/swiftui/stepper
// https://developer.apple.com/documentation/swiftui/stepper/init(value:step:label:oneditingchanged:)
// https://developer.apple.com/documentation/swiftui/stepper/init(value:in:step:oneditingchanged:label:)
// https://developer.apple.com/documentation/swiftui/stepper/init(value:step:format:label:oneditingchanged:)
// https://developer.apple.com/documentation/swiftui/stepper/init(value:in:step:format:label:oneditingchanged:)
// https://developer.apple.com/documentation/swiftui/stepper/init(_:value:in:step:oneditingchanged:)
@available(iOS 13.0, macOS 10.15, watchOS 9.0, *)
@available(tvOS, unavailable)
nonisolated public struct Stepper<Label: View>: View {
    package var increment: (() -> Void)?
    package var decrement: (() -> Void)?
    public var body: Never { Never.stub() }
}

@available(iOS 13.0, macOS 10.15, watchOS 9.0, *)
@available(tvOS, unavailable)
extension Stepper {
    public init(
        @ViewBuilder label: () -> Label, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { increment = onIncrement; decrement = onDecrement }
    public init<V: Strideable>(
        value: Binding<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        increment = { value.wrappedValue = value.wrappedValue.advanced(by: step) };
        decrement = { value.wrappedValue = value.wrappedValue.advanced(by: 0 - step) }
    }
    public init<V: Strideable>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        increment = { value.wrappedValue = value.wrappedValue.advanced(by: step) };
        decrement = { value.wrappedValue = value.wrappedValue.advanced(by: 0 - step) }
    }
    @available(iOS 16.0, macOS 13.0, watchOS 9.0, *)
    public init<F: ParseableFormatStyle>(
        value: Binding<F.FormatInput>, step: F.FormatInput.Stride = 1, format: F, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where F.FormatInput: BinaryFloatingPoint, F.FormatOutput == String {}
    @available(iOS 16.0, macOS 13.0, watchOS 9.0, *)
    public init<F: ParseableFormatStyle>(
        value: Binding<F.FormatInput>, in bounds: ClosedRange<F.FormatInput>, step: F.FormatInput.Stride = 1, format: F,
        @ViewBuilder label: () -> Label, onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where F.FormatInput: BinaryFloatingPoint, F.FormatOutput == String {}
    @_disfavoredOverload public init(
        onIncrement: (() -> Void)?, onDecrement: (() -> Void)?, onEditingChanged: @escaping (Bool) -> Void = { _ in },
        @ViewBuilder label: () -> Label
    ) { increment = onIncrement; decrement = onDecrement }
    @_disfavoredOverload public init<V: Strideable>(
        value: Binding<V>, step: V.Stride = 1, onEditingChanged: @escaping (Bool) -> Void = { _ in },
        @ViewBuilder label: () -> Label
    ) {
        increment = { value.wrappedValue = value.wrappedValue.advanced(by: step) };
        decrement = { value.wrappedValue = value.wrappedValue.advanced(by: 0 - step) }
    }
    @_disfavoredOverload public init<V: Strideable>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }, @ViewBuilder label: () -> Label
    ) {
        increment = { value.wrappedValue = value.wrappedValue.advanced(by: step) };
        decrement = { value.wrappedValue = value.wrappedValue.advanced(by: 0 - step) }
    }
}

@available(iOS 13.0, macOS 10.15, watchOS 9.0, *)
@available(tvOS, unavailable)
extension Stepper where Label == Text {
    public init(
        _ title: LocalizedStringKey, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { increment = onIncrement; decrement = onDecrement }
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { increment = onIncrement; decrement = onDecrement }
    public init<V: Strideable>(
        _ title: LocalizedStringKey, value: Binding<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        increment = { value.wrappedValue = value.wrappedValue.advanced(by: step) };
        decrement = { value.wrappedValue = value.wrappedValue.advanced(by: 0 - step) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol, V: Strideable>(
        _ title: S, value: Binding<V>, step: V.Stride = 1, onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        increment = { value.wrappedValue = value.wrappedValue.advanced(by: step) };
        decrement = { value.wrappedValue = value.wrappedValue.advanced(by: 0 - step) }
    }
    public init<V: Strideable>(
        _ title: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        increment = { value.wrappedValue = value.wrappedValue.advanced(by: step) };
        decrement = { value.wrappedValue = value.wrappedValue.advanced(by: 0 - step) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol, V: Strideable>(
        _ title: S, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        increment = { value.wrappedValue = value.wrappedValue.advanced(by: step) };
        decrement = { value.wrappedValue = value.wrappedValue.advanced(by: 0 - step) }
    }
    @available(iOS 16.0, macOS 13.0, watchOS 9.0, *)
    public init<F: ParseableFormatStyle>(
        _ title: LocalizedStringKey, value: Binding<F.FormatInput>, step: F.FormatInput.Stride = 1, format: F,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where F.FormatInput: BinaryFloatingPoint, F.FormatOutput == String {}
    @available(iOS 16.0, macOS 13.0, watchOS 9.0, *) @_disfavoredOverload
    public init<S: StringProtocol, F: ParseableFormatStyle>(
        _ title: S, value: Binding<F.FormatInput>, step: F.FormatInput.Stride = 1, format: F,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where F.FormatInput: BinaryFloatingPoint, F.FormatOutput == String {}
    @available(iOS 16.0, macOS 13.0, watchOS 9.0, *)
    public init<F: ParseableFormatStyle>(
        _ title: LocalizedStringKey, value: Binding<F.FormatInput>, in bounds: ClosedRange<F.FormatInput>,
        step: F.FormatInput.Stride = 1, format: F, onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where F.FormatInput: BinaryFloatingPoint, F.FormatOutput == String {}
    @available(iOS 16.0, macOS 13.0, watchOS 9.0, *) @_disfavoredOverload
    public init<S: StringProtocol, F: ParseableFormatStyle>(
        _ title: S, value: Binding<F.FormatInput>, in bounds: ClosedRange<F.FormatInput>,
        step: F.FormatInput.Stride = 1, format: F, onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where F.FormatInput: BinaryFloatingPoint, F.FormatOutput == String {}
}

// https://developer.apple.com/documentation/swiftui/navigationlink
// https://developer.apple.com/documentation/swiftui/navigationlink/init(destination:label:)-27n7s
// https://developer.apple.com/documentation/swiftui/navigationlink/init(_:isactive:destination:)-6xw7h
// https://developer.apple.com/documentation/swiftui/navigationlink/init(_:destination:isactive:)-3v44
// https://developer.apple.com/documentation/swiftui/navigationlink/init(destination:isactive:label:)
// https://developer.apple.com/documentation/swiftui/navigationlink/init(value:label:)-4jswo
nonisolated public struct NavigationLink<Label: View, Destination: View>: View {
    package var destination: Destination?
    public var body: Never { Never.stub() }
}

// https://developer.apple.com/documentation/swiftui/navigationlink-deprecated, and the pages that it names
extension NavigationLink {
    public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
        self.destination = destination()
    }
    public init(destination: Destination, @ViewBuilder label: () -> Label) { self.destination = destination }
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init(isActive: Binding<Bool>, @ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
        self.destination = destination()
    }
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init(destination: Destination, isActive: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.destination = destination
    }
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init<V: Hashable>(
        tag: V, selection: Binding<V?>, @ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label
    ) { self.destination = destination() }
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init<V: Hashable>(destination: Destination, tag: V, selection: Binding<V?>, @ViewBuilder label: () -> Label)
    { self.destination = destination }
}

extension NavigationLink where Label == Text {
    public init(_ title: LocalizedStringKey, @ViewBuilder destination: () -> Destination) {
        self.destination = destination()
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder destination: () -> Destination) {
        self.destination = destination()
    }
    public init(_ title: LocalizedStringKey, destination: Destination) { self.destination = destination }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: Destination) { self.destination = destination }
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init(_ title: LocalizedStringKey, isActive: Binding<Bool>, @ViewBuilder destination: () -> Destination) {
        self.destination = destination()
    }
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, isActive: Binding<Bool>, @ViewBuilder destination: () -> Destination) {
        self.destination = destination()
    }
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init(_ title: LocalizedStringKey, destination: Destination, isActive: Binding<Bool>) {
        self.destination = destination
    }
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: Destination, isActive: Binding<Bool>) {
        self.destination = destination
    }
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init<V: Hashable>(
        _ title: LocalizedStringKey, tag: V, selection: Binding<V?>, @ViewBuilder destination: () -> Destination
    ) { self.destination = destination() }
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    @_disfavoredOverload
    public init<S: StringProtocol, V: Hashable>(
        _ title: S, tag: V, selection: Binding<V?>, @ViewBuilder destination: () -> Destination
    ) { self.destination = destination() }
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init<V: Hashable>(_ title: LocalizedStringKey, destination: Destination, tag: V, selection: Binding<V?>) {
        self.destination = destination
    }
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    @_disfavoredOverload
    public init<S: StringProtocol, V: Hashable>(_ title: S, destination: Destination, tag: V, selection: Binding<V?>) {
        self.destination = destination
    }
}

#if os(iOS) || os(visionOS)
// Ours: what such a view becomes for a test.
/// What becomes of a link that is or is no detail.
nonisolated package struct DetailLink<Content: View>: View {
    package let content: Content
    package let isDetail: Bool
    public var body: Never { Never.stub() }
}

extension NavigationLink {
    nonisolated public func isDetailLink(_ isDetailLink: Bool) -> some View {
        DetailLink<Self>(content: self, isDetail: isDetailLink)
    }
}
#endif

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
extension NavigationLink where Destination == Never {
    public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {}
    public init<P: Hashable & Codable>(value: P?, @ViewBuilder label: () -> Label) {}
    public init<P: Hashable>(_ title: LocalizedStringKey, value: P?) where Label == Text {}
    @_disfavoredOverload
    public init<S: StringProtocol, P: Hashable>(_ title: S, value: P?) where Label == Text {}
    public init<P: Hashable & Codable>(_ title: LocalizedStringKey, value: P?) where Label == Text {}
    @_disfavoredOverload
    public init<S: StringProtocol, P: Hashable & Codable>(_ title: S, value: P?) where Label == Text {}
}

// https://developer.apple.com/documentation/swiftui/navigationstack
// https://developer.apple.com/documentation/swiftui/navigationstack/init(root:)
// https://developer.apple.com/documentation/swiftui/navigationstack/init(path:root:)-3bt4q
// https://developer.apple.com/documentation/swiftui/navigationstack/init(path:root:)-63x0h
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
@MainActor @preconcurrency public struct NavigationStack<Data, Root: View>: View {
    package var root: Root
    package var path: Binding<Data>?
    public var body: Never { Never.stub() }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
extension NavigationStack where Data == NavigationPath {
    @MainActor @preconcurrency public init(@ViewBuilder root: () -> Root) { self.root = root() }
    @MainActor @preconcurrency public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) {
        self.root = root(); self.path = path
    }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
extension NavigationStack
where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {
    @MainActor @preconcurrency public init(path: Binding<Data>, @ViewBuilder root: () -> Root) {
        self.root = root(); self.path = path
    }
}

// https://developer.apple.com/documentation/swiftui/tabview/init(content:)
// https://developer.apple.com/documentation/swiftui/tabview/init(selection:content:)
nonisolated public struct TabView<SelectionValue: Hashable, Content: View>: View {
    package var value: Binding<SelectionValue>?
    public var body: Never { Never.stub() }
}

extension TabView {
    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) { value = selection }
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public init<C: TabContent>(selection: Binding<SelectionValue>, @TabContentBuilder<SelectionValue> content: () -> C)
    where Content == TabContentBuilder<SelectionValue>.Content<C>, C.TabValue == SelectionValue { value = selection }
}

extension TabView where SelectionValue == Int {
    public init(@ViewBuilder content: () -> Content) {}
}

@available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
extension TabView where SelectionValue == Never {
    public init<C: TabContent>(@TabContentBuilder<Never> content: () -> C)
    where Content == TabContentBuilder<Never>.Content<C>, C.TabValue == Never {}
}

// https://developer.apple.com/documentation/swiftui/scrollview
// https://developer.apple.com/documentation/swiftui/scrollview/init(_:showsindicators:content:)
// https://developer.apple.com/documentation/swiftui/scrollview/init(_:content:)
nonisolated public struct ScrollView<Content: View>: View {
    public var body: Never { Never.stub() }
}

extension ScrollView {
    public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {}
}

// https://developer.apple.com/documentation/swiftui/list/init(content:)
// https://developer.apple.com/documentation/swiftui/list/init(selection:content:)-1pisz
// https://developer.apple.com/documentation/swiftui/list/init(selection:content:)-4sffx
// https://developer.apple.com/documentation/swiftui/list/init(_:rowcontent:)-3vn6i
// https://developer.apple.com/documentation/swiftui/list/init(_:rowcontent:)
// https://developer.apple.com/documentation/swiftui/list/init(_:id:rowcontent:)-4s0aj
// https://developer.apple.com/documentation/swiftui/list/init(_:id:rowcontent:)
// https://developer.apple.com/documentation/swiftui/list/init(_:selection:rowcontent:)-2bobo
// https://developer.apple.com/documentation/swiftui/list/init(_:selection:rowcontent:)
// https://developer.apple.com/documentation/swiftui/list/init(_:id:selection:rowcontent:)
// https://developer.apple.com/documentation/swiftui/list/init(_:children:rowcontent:)
// https://developer.apple.com/documentation/swiftui/list/init(_:id:children:rowcontent:)-93wbq
// https://developer.apple.com/documentation/swiftui/list/init(_:children:selection:rowcontent:)-2pt7r
// https://developer.apple.com/documentation/swiftui/list/init(_:editactions:rowcontent:)
// https://developer.apple.com/documentation/swiftui/list/init(_:editactions:selection:rowcontent:)
@MainActor @preconcurrency public struct List<SelectionValue: Hashable, Content: View>: View {
    package var many: Binding<Set<SelectionValue>>?
    package var one: Binding<SelectionValue?>?
    package var exact: Binding<SelectionValue>?
    public var body: Never { Never.stub() }
}

extension List where SelectionValue == Never {
    @MainActor @preconcurrency public init(@ViewBuilder content: () -> Content) {}
    @MainActor @preconcurrency public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {}
    @MainActor @preconcurrency public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent> {}
    @MainActor @preconcurrency public init<RowContent: View>(
        _ data: Range<Int>, @ViewBuilder rowContent: @escaping (Int) -> RowContent
    )
    where Content == ForEach<Range<Int>, Int, RowContent> {}
    @MainActor @preconcurrency @_disfavoredOverload
    public init<Data: MutableCollection & RandomAccessCollection, RowContent: View>(
        _ data: Binding<Data>, @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    )
    where
        Content == ForEach<LazyMapSequence<Data.Indices, (Data.Index, Data.Element.ID)>, Data.Element.ID, RowContent>,
        Data.Element: Identifiable, Data.Index: Hashable
    {}
    @MainActor @preconcurrency @_disfavoredOverload
    public init<Data: MutableCollection & RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Binding<Data>, id: KeyPath<Data.Element, ID>,
        @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    ) where Content == ForEach<LazyMapSequence<Data.Indices, (Data.Index, ID)>, ID, RowContent>, Data.Index: Hashable {}
    @available(iOS 14.0, macOS 11.0, *) @available(tvOS, unavailable) @available(watchOS, unavailable)
    @MainActor @preconcurrency public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, children: KeyPath<Data.Element, Data?>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == OutlineGroup<
            Data, Data.Element.ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>
        >, Data.Element: Identifiable
    {}
    @available(iOS 14.0, macOS 11.0, *) @available(tvOS, unavailable) @available(watchOS, unavailable)
    @MainActor @preconcurrency public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, children: KeyPath<Data.Element, Data?>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == OutlineGroup<Data, ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>>
    {}
}

extension List {
    @available(watchOS, unavailable)
    @MainActor @preconcurrency public init(
        selection: Binding<Set<SelectionValue>>?, @ViewBuilder content: () -> Content
    ) { many = selection }
    @available(watchOS, unavailable)
    @MainActor @preconcurrency public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable { many = selection }
    @available(watchOS, unavailable)
    @MainActor @preconcurrency public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent> { many = selection }
    @available(watchOS, unavailable)
    @MainActor @preconcurrency public init<RowContent: View>(
        _ data: Range<Int>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Int) -> RowContent
    ) where Content == ForEach<Range<Int>, Int, HStack<RowContent>> { many = selection }
    @available(watchOS, unavailable)
    @MainActor @preconcurrency @_disfavoredOverload
    public init<Data: MutableCollection & RandomAccessCollection, RowContent: View>(
        _ data: Binding<Data>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    )
    where
        Content == ForEach<LazyMapSequence<Data.Indices, (Data.Index, Data.Element.ID)>, Data.Element.ID, RowContent>,
        Data.Element: Identifiable, Data.Index: Hashable
    { many = selection }
    @available(watchOS, unavailable)
    @MainActor @preconcurrency @_disfavoredOverload
    public init<Data: MutableCollection & RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Binding<Data>, id: KeyPath<Data.Element, ID>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    ) where Content == ForEach<LazyMapSequence<Data.Indices, (Data.Index, ID)>, ID, RowContent>, Data.Index: Hashable {
        many = selection
    }
    @available(iOS 14.0, macOS 11.0, *) @available(tvOS, unavailable) @available(watchOS, unavailable)
    @MainActor @preconcurrency public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, children: KeyPath<Data.Element, Data?>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == OutlineGroup<
            Data, Data.Element.ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>
        >, Data.Element: Identifiable
    { many = selection }
    @available(iOS 14.0, macOS 11.0, *) @available(tvOS, unavailable) @available(watchOS, unavailable)
    @MainActor @preconcurrency public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, children: KeyPath<Data.Element, Data?>,
        selection: Binding<Set<SelectionValue>>?, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == OutlineGroup<Data, ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>>
    { many = selection }
}

extension List {
    @available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 10.0, *)
    @MainActor @preconcurrency public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) {
        one = selection
    }
    @available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 10.0, *)
    @MainActor @preconcurrency public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable { one = selection }
    @available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 10.0, *)
    @MainActor @preconcurrency public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent> { one = selection }
    @available(watchOS, unavailable)
    @MainActor @preconcurrency public init<RowContent: View>(
        _ data: Range<Int>, selection: Binding<SelectionValue?>?, @ViewBuilder rowContent: @escaping (Int) -> RowContent
    ) where Content == ForEach<Range<Int>, Int, RowContent> { one = selection }
    @available(watchOS, unavailable)
    @MainActor @preconcurrency @_disfavoredOverload
    public init<Data: MutableCollection & RandomAccessCollection, RowContent: View>(
        _ data: Binding<Data>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    )
    where
        Content == ForEach<LazyMapSequence<Data.Indices, (Data.Index, Data.Element.ID)>, Data.Element.ID, RowContent>,
        Data.Element: Identifiable, Data.Index: Hashable
    { one = selection }
    @available(watchOS, unavailable)
    @MainActor @preconcurrency @_disfavoredOverload
    public init<Data: MutableCollection & RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Binding<Data>, id: KeyPath<Data.Element, ID>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    ) where Content == ForEach<LazyMapSequence<Data.Indices, (Data.Index, ID)>, ID, RowContent>, Data.Index: Hashable {
        one = selection
    }
    @available(iOS 14.0, macOS 11.0, *) @available(tvOS, unavailable) @available(watchOS, unavailable)
    @MainActor @preconcurrency public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, children: KeyPath<Data.Element, Data?>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == OutlineGroup<
            Data, Data.Element.ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>
        >, Data.Element: Identifiable
    { one = selection }
    @available(iOS 14.0, macOS 11.0, *) @available(tvOS, unavailable) @available(watchOS, unavailable)
    @MainActor @preconcurrency public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, children: KeyPath<Data.Element, Data?>,
        selection: Binding<SelectionValue?>?, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == OutlineGroup<Data, ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>>
    { one = selection }
}

// A binding of a collection is one of bindings of its elements.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
extension Binding: Sequence where Value: MutableCollection {
    public typealias Element = Binding<Value.Element>
    public typealias Iterator = IndexingIterator<Binding<Value>>
}
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
extension Binding: Collection where Value: MutableCollection {
    public typealias Index = Value.Index
    public typealias Indices = Value.Indices
    public var startIndex: Index { wrappedValue.startIndex }
    public var endIndex: Index { wrappedValue.endIndex }
    public var indices: Indices { wrappedValue.indices }
    public func index(after index: Index) -> Index { wrappedValue.index(after: index) }
    public subscript(position: Index) -> Binding<Value.Element> {
        Binding<Value.Element>({ wrappedValue[position] }, { value, _ in wrappedValue[position] = value })
    }
}
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
extension Binding: BidirectionalCollection where Value: MutableCollection & BidirectionalCollection {
    public func index(before index: Index) -> Index { wrappedValue.index(before: index) }
}
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
extension Binding: RandomAccessCollection where Value: MutableCollection & RandomAccessCollection {}

// Not read: swiftui/editactions
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
public struct EditActions<Data>: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static var move: EditActions<Data> { EditActions(rawValue: 1) }
    public static var delete: EditActions<Data> { EditActions(rawValue: 2) }
}

// Not read: swiftui/indexedidentifiercollection
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
public struct IndexedIdentifierCollection<Base: Collection, ID: Hashable>: Collection {
    public struct Element { package let id: ID }
    public var startIndex: Base.Index { Never.stub() }
    public var endIndex: Base.Index { Never.stub() }
    public func index(after index: Base.Index) -> Base.Index { Never.stub() }
    public subscript(position: Base.Index) -> Element { Never.stub() }
}
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
extension IndexedIdentifierCollection: BidirectionalCollection where Base: BidirectionalCollection {
    public func index(before index: Base.Index) -> Base.Index { Never.stub() }
}
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
extension IndexedIdentifierCollection: RandomAccessCollection where Base: RandomAccessCollection {}

// Not read: swiftui/editablecollectioncontent
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
nonisolated public struct EditableCollectionContent<Content: View, Data>: View {
    public var body: Never { Never.stub() }
}
