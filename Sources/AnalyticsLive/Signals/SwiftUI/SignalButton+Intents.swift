#if canImport(SwiftUI) && canImport(AppIntents) && !os(visionOS) && !targetEnvironment(macCatalyst)
public import AppIntents
public import SwiftUI

// The initialisers are those of SwiftUI and AppIntents as Apple documents them for the SDKs of iOS 18 and macOS 15
// (Xcode 16.4). The app gets no call when a tap starts an intent, so the signal is made of the tap. There is none when
// the system runs the intent by itself, as in a widget.

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
extension SignalButton {
    /// A button of an intent, with a label of any kind.
    public init<I: AppIntent>(intent: I, @ViewBuilder label: () -> Label) {
        let label = label()
        self.init(intent: Button(intent: intent, label: { label }), ViewTitle.of(label))
    }

    /// A button of an intent, with a role and a label of any kind.
    public init(role: ButtonRole?, intent: some AppIntent, @ViewBuilder label: () -> Label) {
        let label = label()
        self.init(intent: Button(role: role, intent: intent, label: { label }), ViewTitle.of(label))
    }
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
extension SignalButton where Label == Text {
    /// A button of an intent, with a text.
    public init(
        _ title: LocalizedStringKey, intent: some AppIntent
    ) {
        self.init(
            intent: Button(intent: intent, label: { Text(title) }), ViewTitle.of(title))
    }

    /// A button of an intent, with a text.
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, intent: some AppIntent
    ) {
        self.init(
            intent: Button(intent: intent, label: { Text(title) }), ViewTitle.of(title))
    }

    /// A button of an intent, with a text.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, intent: some AppIntent
    ) {
        self.init(
            intent: Button(intent: intent, label: { Text(title) }), ViewTitle.of(title))
    }

    /// A button of an intent, with a role and a text.
    public init(
        _ title: LocalizedStringKey, role: ButtonRole?, intent: some AppIntent
    ) {
        self.init(
            intent: Button(role: role, intent: intent, label: { Text(title) }), ViewTitle.of(title))
    }

    /// A button of an intent, with a role and a text.
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, role: ButtonRole?, intent: some AppIntent
    ) {
        self.init(
            intent: Button(role: role, intent: intent, label: { Text(title) }), ViewTitle.of(title))
    }

    /// A button of an intent, with a role and a text.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, role: ButtonRole?, intent: some AppIntent
    ) {
        self.init(
            intent: Button(role: role, intent: intent, label: { Text(title) }), ViewTitle.of(title))
    }
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
extension SignalButton where Label == SwiftUI.Label<Text, Image> {
    /// A button of an intent, with a text and a symbol.
    public init(
        _ title: LocalizedStringKey, systemImage: String, role: ButtonRole? = nil, intent: some AppIntent
    ) {
        self.init(
            intent: Button(
                role: role, intent: intent,
                label: {
                    Label {
                        Text(title)
                    } icon: {
                        Image(systemName: systemImage)
                    }
                }), ViewTitle.of(title))
    }

    /// A button of an intent, with a text and a symbol.
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, systemImage: String, role: ButtonRole? = nil, intent: some AppIntent
    ) {
        self.init(
            intent: Button(
                role: role, intent: intent,
                label: {
                    Label {
                        Text(title)
                    } icon: {
                        Image(systemName: systemImage)
                    }
                }), ViewTitle.of(title))
    }

    /// A button of an intent, with a text and a symbol.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, systemImage: String, role: ButtonRole? = nil, intent: some AppIntent
    ) {
        self.init(
            intent: Button(
                role: role, intent: intent,
                label: {
                    Label {
                        Text(title)
                    } icon: {
                        Image(systemName: systemImage)
                    }
                }), ViewTitle.of(title))
    }

    /// A button of an intent, with a text and an image.
    public init(
        _ title: LocalizedStringKey, image: ImageResource, role: ButtonRole? = nil, intent: some AppIntent
    ) {
        self.init(
            intent: Button(
                role: role, intent: intent,
                label: {
                    Label {
                        Text(title)
                    } icon: {
                        Image(image)
                    }
                }), ViewTitle.of(title))
    }

    /// A button of an intent, with a text and an image.
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, image: ImageResource, role: ButtonRole? = nil, intent: some AppIntent
    ) {
        self.init(
            intent: Button(
                role: role, intent: intent,
                label: {
                    Label {
                        Text(title)
                    } icon: {
                        Image(image)
                    }
                }), ViewTitle.of(title))
    }

    /// A button of an intent, with a text and an image.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, image: ImageResource, role: ButtonRole? = nil, intent: some AppIntent
    ) {
        self.init(
            intent: Button(
                role: role, intent: intent,
                label: {
                    Label {
                        Text(title)
                    } icon: {
                        Image(image)
                    }
                }), ViewTitle.of(title))
    }
}
#endif
