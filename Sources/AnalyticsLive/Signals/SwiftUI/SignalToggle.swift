#if canImport(SwiftUI)
public import SwiftUI
import TributaryJSON

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4), under
// the same names and with the same conditions. Initialisers with an `AppIntent` are in SignalToggle+Intents.swift.

/// A toggle that emits a signal at each change, with its new value. Everything else is SwiftUI's.
nonisolated public struct SignalToggle<Label: View>: View {
    private let toggle: Toggle<Label>
    private let name: ControlName
    /// The value after a tap that starts an intent, because the app gets no call then.
    private let next: Bool?
    @Environment(\.signalAnnotation) private var annotation

    @MainActor public var body: some View {
        let _ = (name.annotation = annotation)
        if let next {
            toggle.onTap { ControlSignals.emit("Toggle", name, ["value": .bool(next)]) }
        } else {
            toggle
        }
    }

    init(_ toggle: Toggle<Label>, _ name: ControlName = ControlName()) {
        self.toggle = toggle
        self.name = name
        next = nil
    }

    /// A toggle that starts an intent at a tap.
    init(intent toggle: Toggle<Label>, isOn: Bool, _ name: ControlName) {
        self.toggle = toggle
        self.name = name
        next = !isOn
    }
}

extension SignalToggle {
    /// A toggle with a label of any kind.
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(Toggle(isOn: isOn.observed("Toggle", name), label: { label }), name)
    }

    /// A toggle of several values with a label of any kind.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init<C: RandomAccessCollection>(
        sources: C, isOn: KeyPath<C.Element, Binding<Bool>>, @ViewBuilder label: () -> Label
    ) {
        let label = label()
        let name = ViewTitle.of(label)
        let observed = sources.map { $0[keyPath: isOn].observed("Toggle", name) }
        self.init(Toggle(sources: observed, isOn: \.self, label: { label }), name)
    }
}

extension SignalToggle where Label == ToggleStyleConfiguration.Label {
    /// The toggle of an app's own style. Its value is that of the styled toggle, which emits the signal.
    public init(_ configuration: ToggleStyleConfiguration) {
        self.init(Toggle(configuration))
    }
}

extension SignalToggle where Label == Text {
    /// A toggle with a text.
    public init(_ title: LocalizedStringKey, isOn: Binding<Bool>) {
        let name = ViewTitle.of(title)
        self.init(Toggle(title, isOn: isOn.observed("Toggle", name)), name)
    }

    /// A toggle with a text.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {
        let name = ViewTitle.of(title)
        self.init(Toggle(title, isOn: isOn.observed("Toggle", name)), name)
    }

    /// A toggle of several values with a text.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringKey, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) {
        let name = ViewTitle.of(title)
        let observed = sources.map { $0[keyPath: isOn].observed("Toggle", name) }
        self.init(Toggle(title, sources: observed, isOn: \.self), name)
    }

    /// A toggle of several values with a text.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, C: RandomAccessCollection>(
        _ title: S, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) {
        let name = ViewTitle.of(title)
        let observed = sources.map { $0[keyPath: isOn].observed("Toggle", name) }
        self.init(Toggle(title, sources: observed, isOn: \.self), name)
    }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
extension SignalToggle where Label == SwiftUI.Label<Text, Image> {
    /// A toggle with a text and a symbol.
    public init(_ title: LocalizedStringKey, systemImage: String, isOn: Binding<Bool>) {
        let name = ViewTitle.of(title)
        self.init(Toggle(title, systemImage: systemImage, isOn: isOn.observed("Toggle", name)), name)
    }

    /// A toggle with a text and a symbol.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage: String, isOn: Binding<Bool>) {
        let name = ViewTitle.of(title)
        self.init(Toggle(title, systemImage: systemImage, isOn: isOn.observed("Toggle", name)), name)
    }

    /// A toggle with a text and an image.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public init(_ title: LocalizedStringKey, image: ImageResource, isOn: Binding<Bool>) {
        let name = ViewTitle.of(title)
        self.init(Toggle(title, image: image, isOn: isOn.observed("Toggle", name)), name)
    }

    /// A toggle with a text and an image.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, image: ImageResource, isOn: Binding<Bool>) {
        let name = ViewTitle.of(title)
        self.init(Toggle(title, image: image, isOn: isOn.observed("Toggle", name)), name)
    }

    /// A toggle of several values with a text and a symbol.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringKey, systemImage: String, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) {
        let name = ViewTitle.of(title)
        let observed = sources.map { $0[keyPath: isOn].observed("Toggle", name) }
        self.init(Toggle(title, systemImage: systemImage, sources: observed, isOn: \.self), name)
    }

    /// A toggle of several values with a text and a symbol.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, C: RandomAccessCollection>(
        _ title: S, systemImage: String, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) {
        let name = ViewTitle.of(title)
        let observed = sources.map { $0[keyPath: isOn].observed("Toggle", name) }
        self.init(Toggle(title, systemImage: systemImage, sources: observed, isOn: \.self), name)
    }

    /// A toggle of several values with a text and an image.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringKey, image: ImageResource, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) {
        let name = ViewTitle.of(title)
        let observed = sources.map { $0[keyPath: isOn].observed("Toggle", name) }
        self.init(Toggle(title, image: image, sources: observed, isOn: \.self), name)
    }

    /// A toggle of several values with a text and an image.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, C: RandomAccessCollection>(
        _ title: S, image: ImageResource, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) {
        let name = ViewTitle.of(title)
        let observed = sources.map { $0[keyPath: isOn].observed("Toggle", name) }
        self.init(Toggle(title, image: image, sources: observed, isOn: \.self), name)
    }
}
#endif
