#if canImport(SwiftUI)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4), under
// the same names and with the same conditions. Deprecated ones are there, too.

/// A field for passwords that emits a signal when it gets and loses the focus. Everything else is SwiftUI's. The typed
/// text is in no signal. Before iOS 15 and the systems of that year, which do not report the focus, it emits none.
nonisolated public struct SignalSecureField<Label: View>: View {
    private let field: SecureField<Label>
    private let name: ControlName
    @Environment(\.signalAnnotation) private var annotation

    @MainActor public var body: some View {
        name.annotation = annotation
        return FocusReport(content: field, component: "SecureField", name: name)
    }

    init(_ field: SecureField<Label>, _ name: ControlName) {
        self.field = field
        self.name = name
    }
}

extension SignalSecureField where Label == Text {
    /// A field for a password.
    public init(_ title: LocalizedStringKey, text: Binding<String>) {
        let name = ViewTitle.of(title)
        self.init(SecureField(title, text: text), name)
    }

    /// A field for a password.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        let name = ViewTitle.of(title)
        self.init(SecureField(title, text: text), name)
    }

    /// A field for a password that tells when it is done.
    public init(_ title: LocalizedStringKey, text: Binding<String>, onCommit: @escaping () -> Void) {
        let name = ViewTitle.of(title)
        self.init(SecureField(title, text: text, onCommit: onCommit), name)
    }

    /// A field for a password that tells when it is done.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, onCommit: @escaping () -> Void) {
        let name = ViewTitle.of(title)
        self.init(SecureField(title, text: text, onCommit: onCommit), name)
    }

    /// A field for a password with a prompt.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init(_ title: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
        let name = ViewTitle.of(title)
        self.init(SecureField(title, text: text, prompt: prompt), name)
    }

    /// A field for a password with a prompt.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text?) {
        let name = ViewTitle.of(title)
        self.init(SecureField(title, text: text, prompt: prompt), name)
    }
}

extension SignalSecureField {
    /// A field with a label of any kind.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(SecureField(text: text, prompt: prompt, label: { label }), name)
    }
}
#endif
