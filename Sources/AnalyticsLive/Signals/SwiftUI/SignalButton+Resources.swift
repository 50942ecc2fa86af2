#if canImport(SwiftUI)
public import SwiftUI
public import TributaryActions

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 26 and macOS 26 (Xcode 26). They
// are there for every SDK, because they are made of those with a label.

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
extension SignalButton where Label == Text {
    /// A button with a text.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, action: @escaping ControlAction
    ) {
        let name = ViewTitle.of(title)
        let signaling = ControlSignals.signaling(action, "Button", name)
        self.init(Button(action: signaling, label: { Text(title) }), name)
    }

    /// A button with a role and a text.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, role: ButtonRole?, action: @escaping ControlAction
    ) {
        let name = ViewTitle.of(title)
        let signaling = ControlSignals.signaling(action, "Button", name)
        self.init(Button(role: role, action: signaling, label: { Text(title) }), name)
    }
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
extension SignalButton where Label == SwiftUI.Label<Text, Image> {
    /// A button with a text and a symbol.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, systemImage: String, action: @escaping ControlAction
    ) {
        let name = ViewTitle.of(title)
        let signaling = ControlSignals.signaling(action, "Button", name)
        self.init(
            Button(
                action: signaling,
                label: {
                    Label {
                        Text(title)
                    } icon: {
                        Image(systemName: systemImage)
                    }
                }), name)
    }

    /// A button with a role, a text and a symbol.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, systemImage: String, role: ButtonRole?,
        action: @escaping ControlAction
    ) {
        let name = ViewTitle.of(title)
        let signaling = ControlSignals.signaling(action, "Button", name)
        self.init(
            Button(
                role: role, action: signaling,
                label: {
                    Label {
                        Text(title)
                    } icon: {
                        Image(systemName: systemImage)
                    }
                }), name)
    }

    /// A button with a text and an image.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, image: ImageResource, action: @escaping ControlAction
    ) {
        let name = ViewTitle.of(title)
        let signaling = ControlSignals.signaling(action, "Button", name)
        self.init(
            Button(
                action: signaling,
                label: {
                    Label {
                        Text(title)
                    } icon: {
                        Image(image)
                    }
                }), name)
    }

    /// A button with a role, a text and an image.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, image: ImageResource, role: ButtonRole?,
        action: @escaping ControlAction
    ) {
        let name = ViewTitle.of(title)
        let signaling = ControlSignals.signaling(action, "Button", name)
        self.init(
            Button(
                role: role, action: signaling,
                label: {
                    Label {
                        Text(title)
                    } icon: {
                        Image(image)
                    }
                }), name)
    }
}

#if compiler(>=6.2)
@available(iOS 26.0, macOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
extension SignalButton where Label == DefaultButtonLabel {
    /// A button with the label that the system has for a role.
    public init(role: ButtonRole, action: @escaping ControlAction) {
        let name = ControlName()
        self.init(Button(role: role, action: ControlSignals.signaling(action, "Button", name)), name)
    }
}
#endif
#endif
