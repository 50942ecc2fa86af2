#if canImport(SwiftUI)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 26 and macOS 26 (Xcode 26). They
// are there for every SDK, because they are made of those with a label.

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
extension SignalTextField where Label == Text {
    /// A field for a text.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, text: Binding<String>, prompt: Text? = nil
    ) {
        self.init(TextField(text: text, prompt: prompt, label: { Text(title) }), ViewTitle.of(title))
    }

    /// A field for a text that grows along an axis.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, text: Binding<String>, prompt: Text? = nil, axis: Axis
    ) {
        self.init(TextField(text: text, prompt: prompt, axis: axis, label: { Text(title) }), ViewTitle.of(title))
    }

    /// A field with a bound selection.
    @available(iOS 18.0, macOS 15.0, visionOS 2.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, text: Binding<String>, selection: Binding<TextSelection?>,
        prompt: Text? = nil,
        axis: Axis? = nil
    ) {
        self.init(
            TextField(text: text, selection: selection, prompt: prompt, axis: axis, label: { Text(title) }),
            ViewTitle.of(title))
    }

    /// A field for a value that a formatter reads.
    @_disfavoredOverload
    public init<Value>(
        _ title: LocalizedStringResource, value: Binding<Value>, formatter: Formatter, prompt: Text? = nil
    ) {
        self.init(
            TextField(value: value, formatter: formatter, prompt: prompt, label: { Text(title) }), ViewTitle.of(title))
    }

    /// A field for a value that a format reads.
    @_disfavoredOverload
    public init<F: ParseableFormatStyle>(
        _ title: LocalizedStringResource, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil
    ) where F.FormatOutput == String {
        self.init(TextField(value: value, format: format, prompt: prompt, label: { Text(title) }), ViewTitle.of(title))
    }

    /// A field for a value that a format reads and that may be missing.
    @_disfavoredOverload
    public init<F: ParseableFormatStyle>(
        _ title: LocalizedStringResource, value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil
    ) where F.FormatOutput == String {
        self.init(TextField(value: value, format: format, prompt: prompt, label: { Text(title) }), ViewTitle.of(title))
    }
}
#endif
