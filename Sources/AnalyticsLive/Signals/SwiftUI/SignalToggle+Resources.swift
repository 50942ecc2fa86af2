#if canImport(SwiftUI)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 26 and macOS 26 (Xcode 26). They
// are there for every SDK, because they are made of those with a label.

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
extension SignalToggle where Label == Text {
    /// A toggle with a text.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, isOn: Binding<Bool>
    ) {
        let name = ViewTitle.of(title)
        self.init(Toggle(isOn: isOn.observed("Toggle", name), label: { Text(title) }), name)
    }

    /// A toggle of several values with a text.
    @_disfavoredOverload
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringResource, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) {
        let name = ViewTitle.of(title)
        let observed = sources.map { $0[keyPath: isOn].observed("Toggle", name) }
        self.init(Toggle(sources: observed, isOn: \.self, label: { Text(title) }), name)
    }
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
extension SignalToggle where Label == SwiftUI.Label<Text, Image> {
    /// A toggle with a text and a symbol.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, systemImage: String, isOn: Binding<Bool>
    ) {
        let name = ViewTitle.of(title)
        self.init(
            Toggle(
                isOn: isOn.observed("Toggle", name),
                label: {
                    Label {
                        Text(title)
                    } icon: {
                        Image(systemName: systemImage)
                    }
                }), name)
    }

    /// A toggle of several values with a text and a symbol.
    @_disfavoredOverload
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringResource, systemImage: String, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) {
        let name = ViewTitle.of(title)
        let observed = sources.map { $0[keyPath: isOn].observed("Toggle", name) }
        self.init(
            Toggle(
                sources: observed, isOn: \.self,
                label: {
                    Label {
                        Text(title)
                    } icon: {
                        Image(systemName: systemImage)
                    }
                }), name)
    }

    /// A toggle with a text and an image.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, image: ImageResource, isOn: Binding<Bool>
    ) {
        let name = ViewTitle.of(title)
        self.init(
            Toggle(
                isOn: isOn.observed("Toggle", name),
                label: {
                    Label {
                        Text(title)
                    } icon: {
                        Image(image)
                    }
                }), name)
    }

    /// A toggle of several values with a text and an image.
    @_disfavoredOverload
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringResource, image: ImageResource, sources: C, isOn: KeyPath<C.Element, Binding<Bool>>
    ) {
        let name = ViewTitle.of(title)
        let observed = sources.map { $0[keyPath: isOn].observed("Toggle", name) }
        self.init(
            Toggle(
                sources: observed, isOn: \.self,
                label: {
                    Label {
                        Text(title)
                    } icon: {
                        Image(image)
                    }
                }), name)
    }
}
#endif
