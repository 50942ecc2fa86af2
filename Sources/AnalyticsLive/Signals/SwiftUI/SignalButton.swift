#if canImport(SwiftUI)
public import SwiftUI
public import TributaryActions

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4), under
// the same names and with the same conditions. Initialisers with an `AppIntent` are in SignalButton+Intents.swift.

/// A button that emits a signal at each tap. Everything else is SwiftUI's.
///
/// `typealias Button = SignalButton` in an app replaces SwiftUI's button everywhere.
nonisolated public struct SignalButton<Label: View>: View {
    private let button: Button<Label>
    private let name: ControlName
    /// Whether a tap starts an intent, so the app gets no call.
    private let isOfIntent: Bool
    @Environment(\.signalAnnotation) private var annotation

    @MainActor public var body: some View {
        let _ = (name.annotation = annotation)
        if isOfIntent {
            button.onTap { ControlSignals.emit("Button", name) }
        } else {
            button
        }
    }

    init(_ button: Button<Label>, _ name: ControlName = ControlName()) {
        self.button = button
        self.name = name
        isOfIntent = false
    }

    /// A button that starts an intent at a tap.
    init(intent button: Button<Label>, _ name: ControlName) {
        self.button = button
        self.name = name
        isOfIntent = true
    }
}

extension SignalButton {
    /// A button with a label of any kind.
    public init(action: @escaping ControlAction, @ViewBuilder label: () -> Label) {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(Button(action: ControlSignals.signaling(action, "Button", name), label: { label }), name)
    }

    /// A button with a role and a label of any kind.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init(role: ButtonRole?, action: @escaping ControlAction, @ViewBuilder label: () -> Label) {
        let label = label()
        let name = ViewTitle.of(label)
        let signaling = ControlSignals.signaling(action, "Button", name)
        self.init(Button(role: role, action: signaling, label: { label }), name)
    }
}

extension SignalButton where Label == Text {
    /// A button with a text.
    public init(_ title: LocalizedStringKey, action: @escaping ControlAction) {
        let name = ViewTitle.of(title)
        self.init(Button(title, action: ControlSignals.signaling(action, "Button", name)), name)
    }

    /// A button with a text.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, action: @escaping ControlAction) {
        let name = ViewTitle.of(title)
        self.init(Button(title, action: ControlSignals.signaling(action, "Button", name)), name)
    }

    /// A button with a role and a text.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init(_ title: LocalizedStringKey, role: ButtonRole?, action: @escaping ControlAction) {
        let name = ViewTitle.of(title)
        self.init(Button(title, role: role, action: ControlSignals.signaling(action, "Button", name)), name)
    }

    /// A button with a role and a text.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping ControlAction) {
        let name = ViewTitle.of(title)
        self.init(Button(title, role: role, action: ControlSignals.signaling(action, "Button", name)), name)
    }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
extension SignalButton where Label == SwiftUI.Label<Text, Image> {
    /// A button with a text and a symbol.
    public init(_ title: LocalizedStringKey, systemImage: String, action: @escaping ControlAction) {
        let name = ViewTitle.of(title)
        self.init(
            Button(
                title, systemImage: systemImage, action: ControlSignals.signaling(action, "Button", name)), name)
    }

    /// A button with a text and a symbol.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage: String, action: @escaping ControlAction) {
        let name = ViewTitle.of(title)
        self.init(
            Button(
                title, systemImage: systemImage, action: ControlSignals.signaling(action, "Button", name)), name)
    }

    /// A button with a role, a text and a symbol.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    public init(
        _ title: LocalizedStringKey, systemImage: String, role: ButtonRole?, action: @escaping ControlAction
    ) {
        let name = ViewTitle.of(title)
        self.init(
            Button(
                title, systemImage: systemImage, role: role,
                action: ControlSignals.signaling(action, "Button", name)), name)
    }

    /// A button with a role, a text and a symbol.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, systemImage: String, role: ButtonRole?, action: @escaping ControlAction
    ) {
        let name = ViewTitle.of(title)
        self.init(
            Button(
                title, systemImage: systemImage, role: role,
                action: ControlSignals.signaling(action, "Button", name)), name)
    }

    /// A button with a text and an image.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public init(_ title: LocalizedStringKey, image: ImageResource, action: @escaping ControlAction) {
        let name = ViewTitle.of(title)
        self.init(Button(title, image: image, action: ControlSignals.signaling(action, "Button", name)), name)
    }

    /// A button with a text and an image.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, image: ImageResource, action: @escaping ControlAction
    ) {
        let name = ViewTitle.of(title)
        self.init(Button(title, image: image, action: ControlSignals.signaling(action, "Button", name)), name)
    }

    /// A button with a role, a text and an image.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public init(
        _ title: LocalizedStringKey, image: ImageResource, role: ButtonRole?, action: @escaping ControlAction
    ) {
        let name = ViewTitle.of(title)
        self.init(
            Button(
                title, image: image, role: role, action: ControlSignals.signaling(action, "Button", name)), name)
    }

    /// A button with a role, a text and an image.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, image: ImageResource, role: ButtonRole?, action: @escaping ControlAction
    ) {
        let name = ViewTitle.of(title)
        self.init(
            Button(
                title, image: image, role: role, action: ControlSignals.signaling(action, "Button", name)), name)
    }
}

extension SignalButton where Label == PrimitiveButtonStyleConfiguration.Label {
    /// The button of an app's own style. Its action is that of the styled button, which emits the signal.
    public init(_ configuration: PrimitiveButtonStyleConfiguration) {
        self.init(Button(configuration))
    }
}
#endif
