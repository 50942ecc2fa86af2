#if canImport(SwiftUI)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4), under
// the same names and with the same conditions. Deprecated ones are there, too.

/// A text field that emits a signal when it gets and loses the focus. Everything else is SwiftUI's. The typed text is
/// in no signal. Before iOS 15 and the systems of that year, which do not report the focus, it emits none.
nonisolated public struct SignalTextField<Label: View>: View {
    private let field: TextField<Label>
    private let name: ControlName
    @Environment(\.signalAnnotation) private var annotation

    @MainActor public var body: some View {
        name.annotation = annotation
        return FocusReport(content: field, component: "TextField", name: name)
    }

    init(_ field: TextField<Label>, _ name: ControlName) {
        self.field = field
        self.name = name
    }
}

extension SignalTextField where Label == Text {
    /// A field for a text.
    public init(_ title: LocalizedStringKey, text: Binding<String>) {
        let name = ViewTitle.of(title)
        self.init(TextField(title, text: text), name)
    }

    /// A field for a text.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        let name = ViewTitle.of(title)
        self.init(TextField(title, text: text), name)
    }

    /// A field for a text that reports the start and end of editing.
    public init(
        _ title: LocalizedStringKey, text: Binding<String>, onEditingChanged: @escaping (Bool) -> Void,
        onCommit: @escaping () -> Void = {}
    ) {
        let name = ViewTitle.of(title)
        self.init(
            TextField(title, text: text, onEditingChanged: onEditingChanged, onCommit: onCommit), name)
    }

    /// A field for a text that reports the start and end of editing.
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, text: Binding<String>, onEditingChanged: @escaping (Bool) -> Void,
        onCommit: @escaping () -> Void = {}
    ) {
        let name = ViewTitle.of(title)
        self.init(
            TextField(title, text: text, onEditingChanged: onEditingChanged, onCommit: onCommit), name)
    }

    /// A field for a text that reports its end.
    public init(_ title: LocalizedStringKey, text: Binding<String>, onCommit: @escaping () -> Void) {
        let name = ViewTitle.of(title)
        self.init(
            TextField(title, text: text, onEditingChanged: { _ in }, onCommit: onCommit), name)
    }

    /// A field for a text that reports its end.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, onCommit: @escaping () -> Void) {
        let name = ViewTitle.of(title)
        self.init(
            TextField(title, text: text, onEditingChanged: { _ in }, onCommit: onCommit), name)
    }

    /// A field for a text with a prompt.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init(_ title: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
        let name = ViewTitle.of(title)
        self.init(TextField(title, text: text, prompt: prompt), name)
    }

    /// A field for a text with a prompt.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text?) {
        let name = ViewTitle.of(title)
        self.init(TextField(title, text: text, prompt: prompt), name)
    }

    /// A field that grows along an axis.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init(_ title: LocalizedStringKey, text: Binding<String>, axis: Axis) {
        let name = ViewTitle.of(title)
        self.init(TextField(title, text: text, axis: axis), name)
    }

    /// A field that grows along an axis.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, axis: Axis) {
        let name = ViewTitle.of(title)
        self.init(TextField(title, text: text, axis: axis), name)
    }

    /// A field with a prompt that grows along an axis.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init(_ title: LocalizedStringKey, text: Binding<String>, prompt: Text?, axis: Axis) {
        let name = ViewTitle.of(title)
        self.init(TextField(title, text: text, prompt: prompt, axis: axis), name)
    }

    /// A field with a prompt that grows along an axis.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text?, axis: Axis) {
        let name = ViewTitle.of(title)
        self.init(TextField(title, text: text, prompt: prompt, axis: axis), name)
    }

    /// A field with a bound selection.
    @available(iOS 18.0, macOS 15.0, visionOS 2.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public init(
        _ title: LocalizedStringKey, text: Binding<String>, selection: Binding<TextSelection?>, prompt: Text? = nil,
        axis: Axis? = nil
    ) {
        let name = ViewTitle.of(title)
        self.init(
            TextField(title, text: text, selection: selection, prompt: prompt, axis: axis), name)
    }

    /// A field with a bound selection.
    @available(iOS 18.0, macOS 15.0, visionOS 2.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, text: Binding<String>, selection: Binding<TextSelection?>, prompt: Text? = nil, axis: Axis? = nil
    ) {
        let name = ViewTitle.of(title)
        self.init(
            TextField(title, text: text, selection: selection, prompt: prompt, axis: axis), name)
    }

    /// A field for a value that a formatter reads.
    public init<Value>(_ title: LocalizedStringKey, value: Binding<Value>, formatter: Formatter) {
        let name = ViewTitle.of(title)
        self.init(TextField(title, value: value, formatter: formatter), name)
    }

    /// A field for a value that a formatter reads.
    @_disfavoredOverload
    public init<S: StringProtocol, Value>(_ title: S, value: Binding<Value>, formatter: Formatter) {
        let name = ViewTitle.of(title)
        self.init(TextField(title, value: value, formatter: formatter), name)
    }

    /// A field for a value that reports the start and end of editing.
    public init<Value>(
        _ title: LocalizedStringKey, value: Binding<Value>, formatter: Formatter,
        onEditingChanged: @escaping (Bool) -> Void, onCommit: @escaping () -> Void = {}
    ) {
        let name = ViewTitle.of(title)
        self.init(
            TextField(
                title, value: value, formatter: formatter, onEditingChanged: onEditingChanged, onCommit: onCommit), name
        )
    }

    /// A field for a value that reports the start and end of editing.
    @_disfavoredOverload
    public init<S: StringProtocol, Value>(
        _ title: S, value: Binding<Value>, formatter: Formatter, onEditingChanged: @escaping (Bool) -> Void,
        onCommit: @escaping () -> Void = {}
    ) {
        let name = ViewTitle.of(title)
        self.init(
            TextField(
                title, value: value, formatter: formatter, onEditingChanged: onEditingChanged, onCommit: onCommit), name
        )
    }

    /// A field for a value that reports its end.
    public init<Value>(
        _ title: LocalizedStringKey, value: Binding<Value>, formatter: Formatter, onCommit: @escaping () -> Void
    ) {
        let name = ViewTitle.of(title)
        self.init(
            TextField(title, value: value, formatter: formatter, onEditingChanged: { _ in }, onCommit: onCommit), name)
    }

    /// A field for a value that reports its end.
    @_disfavoredOverload
    public init<S: StringProtocol, Value>(
        _ title: S, value: Binding<Value>, formatter: Formatter, onCommit: @escaping () -> Void
    ) {
        let name = ViewTitle.of(title)
        self.init(
            TextField(title, value: value, formatter: formatter, onEditingChanged: { _ in }, onCommit: onCommit), name)
    }

    /// A field for a value that a formatter reads, with a prompt.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init<Value>(
        _ title: LocalizedStringKey, value: Binding<Value>, formatter: Formatter, prompt: Text?
    ) {
        let name = ViewTitle.of(title)
        self.init(TextField(title, value: value, formatter: formatter, prompt: prompt), name)
    }

    /// A field for a value that a formatter reads, with a prompt.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, Value>(
        _ title: S, value: Binding<Value>, formatter: Formatter, prompt: Text?
    ) {
        let name = ViewTitle.of(title)
        self.init(TextField(title, value: value, formatter: formatter, prompt: prompt), name)
    }

    /// A field for a value that a format reads.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init<F: ParseableFormatStyle>(
        _ title: LocalizedStringKey, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil
    ) where F.FormatOutput == String {
        let name = ViewTitle.of(title)
        self.init(TextField(title, value: value, format: format, prompt: prompt), name)
    }

    /// A field for a value that a format reads.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, F: ParseableFormatStyle>(
        _ title: S, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil
    ) where F.FormatOutput == String {
        let name = ViewTitle.of(title)
        self.init(TextField(title, value: value, format: format, prompt: prompt), name)
    }

    /// A field for a value that a format reads, which may be missing.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init<F: ParseableFormatStyle>(
        _ title: LocalizedStringKey, value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil
    ) where F.FormatOutput == String {
        let name = ViewTitle.of(title)
        self.init(TextField(title, value: value, format: format, prompt: prompt), name)
    }

    /// A field for a value that a format reads, which may be missing.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, F: ParseableFormatStyle>(
        _ title: S, value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil
    ) where F.FormatOutput == String {
        let name = ViewTitle.of(title)
        self.init(TextField(title, value: value, format: format, prompt: prompt), name)
    }
}

extension SignalTextField {
    /// A field with a label of any kind.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(TextField(text: text, prompt: prompt, label: { label }), name)
    }

    /// A field with a label of any kind that grows along an axis.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init(text: Binding<String>, prompt: Text? = nil, axis: Axis, @ViewBuilder label: () -> Label) {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(TextField(text: text, prompt: prompt, axis: axis, label: { label }), name)
    }

    /// A field with a label of any kind and a bound selection.
    @available(iOS 18.0, macOS 15.0, visionOS 2.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public init(
        text: Binding<String>, selection: Binding<TextSelection?>, prompt: Text? = nil, axis: Axis? = nil,
        @ViewBuilder label: () -> Label
    ) {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(
            TextField(text: text, selection: selection, prompt: prompt, axis: axis, label: { label }), name)
    }

    /// A field with a label of any kind for a value that a formatter reads.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init<Value>(
        value: Binding<Value>, formatter: Formatter, prompt: Text? = nil, @ViewBuilder label: () -> Label
    ) {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(
            TextField(value: value, formatter: formatter, prompt: prompt, label: { label }), name)
    }

    /// A field with a label of any kind for a value that a format reads.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init<F: ParseableFormatStyle>(
        value: Binding<F.FormatInput>, format: F, prompt: Text? = nil, @ViewBuilder label: () -> Label
    ) where F.FormatOutput == String {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(TextField(value: value, format: format, prompt: prompt, label: { label }), name)
    }

    /// The same for a value that may be missing.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init<F: ParseableFormatStyle>(
        value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil, @ViewBuilder label: () -> Label
    ) where F.FormatOutput == String {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(TextField(value: value, format: format, prompt: prompt, label: { label }), name)
    }
}
#endif
