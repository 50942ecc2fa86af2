#if canImport(SwiftUI)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4), under the same
// names and with the same conditions. Those that take an `AppIntent` are missing.

/// A toggle that makes a signal of each change, with its new value, and is SwiftUI's in everything else.
public struct SignalToggle<Label: View>: View {
    private let toggle: Toggle<Label>

    public var body: some View { toggle }

    private init(_ toggle: Toggle<Label>) { self.toggle = toggle }
}

extension SignalToggle {
    /// A toggle with a label of any kind.
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        let label = label()
        self.init(Toggle(isOn: isOn.told("Toggle", ViewTitle.of(label)), label: { label }))
    }

    /// A toggle of several values with a label of any kind.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init<C: RandomAccessCollection>(
        sources: C, isOn: KeyPath<C.Element, Binding<Bool>>, @ViewBuilder label: () -> Label
    ) {
        let label = label()
        let told = sources.map { $0[keyPath: isOn].told("Toggle", ViewTitle.of(label)) }
        self.init(Toggle(sources: told, isOn: \.self, label: { label }))
    }
}

extension SignalToggle where Label == ToggleStyleConfiguration.Label {
    /// The toggle of a style of the app's own. Its value is the styled toggle's, which makes the signal.
    public init(_ configuration: ToggleStyleConfiguration) { self.init(Toggle(configuration)) }
}

extension SignalToggle where Label == Text {
    /// A toggle with a text.
    public init(_ title: LocalizedStringKey, isOn: Binding<Bool>) {
        self.init(Toggle(title, isOn: isOn.told("Toggle", ViewTitle.of(title))))
    }

    /// A toggle with a text.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {
        self.init(Toggle(title, isOn: isOn.told("Toggle", ViewTitle.of(title))))
    }

    /// A toggle of several values with a text.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringKey, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) {
        let told = sources.map { $0[keyPath: isOn].told("Toggle", ViewTitle.of(title)) }
        self.init(Toggle(title, sources: told, isOn: \.self))
    }

    /// A toggle of several values with a text.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, C: RandomAccessCollection>(
        _ title: S, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) {
        let told = sources.map { $0[keyPath: isOn].told("Toggle", ViewTitle.of(title)) }
        self.init(Toggle(title, sources: told, isOn: \.self))
    }
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
extension SignalToggle where Label == SwiftUI.Label<Text, Image> {
    /// A toggle with a text and a symbol.
    public init(_ title: LocalizedStringKey, systemImage: String, isOn: Binding<Bool>) {
        self.init(Toggle(title, systemImage: systemImage, isOn: isOn.told("Toggle", ViewTitle.of(title))))
    }

    /// A toggle with a text and a symbol.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage: String, isOn: Binding<Bool>) {
        self.init(Toggle(title, systemImage: systemImage, isOn: isOn.told("Toggle", ViewTitle.of(title))))
    }

    /// A toggle with a text and an image.
    public init(_ title: LocalizedStringKey, image: ImageResource, isOn: Binding<Bool>) {
        self.init(Toggle(title, image: image, isOn: isOn.told("Toggle", ViewTitle.of(title))))
    }

    /// A toggle with a text and an image.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, image: ImageResource, isOn: Binding<Bool>) {
        self.init(Toggle(title, image: image, isOn: isOn.told("Toggle", ViewTitle.of(title))))
    }

    /// A toggle of several values with a text and a symbol.
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringKey, systemImage: String, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) {
        let told = sources.map { $0[keyPath: isOn].told("Toggle", ViewTitle.of(title)) }
        self.init(Toggle(title, systemImage: systemImage, sources: told, isOn: \.self))
    }

    /// A toggle of several values with a text and a symbol.
    @_disfavoredOverload
    public init<S: StringProtocol, C: RandomAccessCollection>(
        _ title: S, systemImage: String, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) {
        let told = sources.map { $0[keyPath: isOn].told("Toggle", ViewTitle.of(title)) }
        self.init(Toggle(title, systemImage: systemImage, sources: told, isOn: \.self))
    }

    /// A toggle of several values with a text and an image.
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringKey, image: ImageResource, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) {
        let told = sources.map { $0[keyPath: isOn].told("Toggle", ViewTitle.of(title)) }
        self.init(Toggle(title, image: image, sources: told, isOn: \.self))
    }

    /// A toggle of several values with a text and an image.
    @_disfavoredOverload
    public init<S: StringProtocol, C: RandomAccessCollection>(
        _ title: S, image: ImageResource, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) {
        let told = sources.map { $0[keyPath: isOn].told("Toggle", ViewTitle.of(title)) }
        self.init(Toggle(title, image: image, sources: told, isOn: \.self))
    }
}
#endif
