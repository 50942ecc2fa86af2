#if canImport(SwiftUI)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4), under
// the same names and with the same conditions. Pickers of several sources, and with a label for the current value,
// are in SignalPicker+Values.swift and SignalPicker+Icons.swift.

/// A picker that emits a signal at each choice, with the new value. Everything else is SwiftUI's.
nonisolated public struct SignalPicker<Label: View, SelectionValue: Hashable, Content: View>: View {
    private let picker: Picker<Label, SelectionValue, Content>
    private let name: ControlName
    @Environment(\.signalAnnotation) private var annotation

    @MainActor public var body: some View {
        name.annotation = annotation
        return picker
    }

    init(_ picker: Picker<Label, SelectionValue, Content>, _ name: ControlName) {
        self.picker = picker
        self.name = name
    }
}

extension SignalPicker {
    /// A picker with a label of any kind.
    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label
    ) {
        let label = label()
        let name = ViewTitle.of(label)
        let observed = selection.observed("Picker", name)
        self.init(Picker(selection: observed, content: content, label: { label }), name)
    }

    /// A picker with a label that was made before.
    public init(selection: Binding<SelectionValue>, label: Label, @ViewBuilder content: () -> Content) {
        self.init(selection: selection, content: content, label: { label })
    }
}

extension SignalPicker where Label == Text {
    /// A picker with a text.
    public init(
        _ title: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) {
        let name = ViewTitle.of(title)
        let observed = selection.observed("Picker", name)
        self.init(Picker(title, selection: observed, content: content), name)
    }

    /// A picker with a text.
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) {
        let name = ViewTitle.of(title)
        let observed = selection.observed("Picker", name)
        self.init(Picker(title, selection: observed, content: content), name)
    }
}

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
extension SignalPicker where Label == SwiftUI.Label<Text, Image> {
    /// A picker with a text and a symbol.
    public init(
        _ title: LocalizedStringKey, systemImage: String, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) {
        let name = ViewTitle.of(title)
        let observed = selection.observed("Picker", name)
        self.init(Picker(title, systemImage: systemImage, selection: observed, content: content), name)
    }

    /// A picker with a text and a symbol.
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, systemImage: String, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) {
        let name = ViewTitle.of(title)
        let observed = selection.observed("Picker", name)
        self.init(Picker(title, systemImage: systemImage, selection: observed, content: content), name)
    }

    /// A picker with a text and an image.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public init(
        _ title: LocalizedStringKey, image: ImageResource, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) {
        let name = ViewTitle.of(title)
        let observed = selection.observed("Picker", name)
        self.init(Picker(title, image: image, selection: observed, content: content), name)
    }

    /// A picker with a text and an image.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, image: ImageResource, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) {
        let name = ViewTitle.of(title)
        let observed = selection.observed("Picker", name)
        self.init(Picker(title, image: image, selection: observed, content: content), name)
    }
}
#endif
