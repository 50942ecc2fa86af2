#if canImport(SwiftUI) && canImport(AppIntents) && !os(visionOS) && !targetEnvironment(macCatalyst)
public import AppIntents
public import SwiftUI

// The initialisers are those of SwiftUI and AppIntents as Apple documents them for the SDKs of iOS 18 and macOS 15
// (Xcode 16.4). The app gets no call when a tap starts an intent, so the signal is made of the tap. There is none when
// the system runs the intent by itself, as in a widget.

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
extension SignalToggle {
    /// A toggle of an intent, with a label of any kind.
    public init<I: AppIntent>(isOn: Bool, intent: I, @ViewBuilder label: () -> Label) {
        let label = label()
        self.init(intent: Toggle(isOn: isOn, intent: intent, label: { label }), isOn: isOn, ViewTitle.of(label))
    }
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
extension SignalToggle where Label == Text {
    /// A toggle of an intent, with a text.
    public init(_ title: LocalizedStringKey, isOn: Bool, intent: some AppIntent) {
        self.init(
            intent: Toggle(isOn: isOn, intent: intent, label: { Text(title) }), isOn: isOn, ViewTitle.of(title))
    }

    /// A toggle of an intent, with a text.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, isOn: Bool, intent: some AppIntent) {
        self.init(
            intent: Toggle(isOn: isOn, intent: intent, label: { Text(title) }), isOn: isOn, ViewTitle.of(title))
    }

    /// A toggle of an intent, with a text.
    @_disfavoredOverload
    public init(_ title: LocalizedStringResource, isOn: Bool, intent: some AppIntent) {
        self.init(
            intent: Toggle(isOn: isOn, intent: intent, label: { Text(title) }), isOn: isOn, ViewTitle.of(title))
    }
}
#endif
