#if canImport(SwiftUI)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4).
// Initialisers with a `LocalizedStringResource`, of the SDK of iOS 26, are there for every SDK.

extension SignalPicker {
    /// A picker of several values with a label of any kind.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init<C: RandomAccessCollection>(
        sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>, @ViewBuilder content: () -> Content,
        @ViewBuilder label: () -> Label
    ) {
        let label = label()
        self.init(ViewTitle.of(label), sources: sources, selection: selection, content: content) { label }
    }

    /// A picker with a label of any kind, and a label for the chosen value.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> some View
    ) {
        let label = label()
        self.init(
            ViewTitle.of(label), selection: selection, content: content, currentValueLabel: currentValueLabel
        ) { label }
    }

    /// A picker of several values with a label of any kind, and a label for the chosen values.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public init<C: RandomAccessCollection>(
        sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>, @ViewBuilder content: () -> Content,
        @ViewBuilder label: () -> Label, @ViewBuilder currentValueLabel: () -> some View
    ) {
        let label = label()
        self.init(
            ViewTitle.of(label), sources: sources, selection: selection, content: content,
            currentValueLabel: currentValueLabel
        ) { label }
    }
}

// The initialiser that all of them call.
extension SignalPicker {
    init(
        _ name: ControlName, selection: Binding<SelectionValue>, content: () -> Content, label: () -> Label
    ) {
        self.init(Picker(selection: selection.observed("Picker", name), content: content, label: label), name)
    }

    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    init<C: RandomAccessCollection>(
        _ name: ControlName, sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>,
        content: () -> Content, label: () -> Label
    ) {
        let observed = sources.map { $0[keyPath: selection].observed("Picker", name) }
        self.init(Picker(sources: observed, selection: \.self, content: content, label: label), name)
    }

    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    init(
        _ name: ControlName, selection: Binding<SelectionValue>, content: () -> Content,
        currentValueLabel: () -> some View, label: () -> Label
    ) {
        let observed = selection.observed("Picker", name)
        self.init(
            Picker(selection: observed, content: content, label: label, currentValueLabel: currentValueLabel), name)
    }

    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    init<C: RandomAccessCollection>(
        _ name: ControlName, sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>,
        content: () -> Content, currentValueLabel: () -> some View, label: () -> Label
    ) {
        let observed = sources.map { $0[keyPath: selection].observed("Picker", name) }
        self.init(
            Picker(
                sources: observed, selection: \.self, content: content, label: label,
                currentValueLabel: currentValueLabel), name)
    }
}

extension SignalPicker where Label == Text {
    /// A picker with a text.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) {
        self.init(ViewTitle.of(title), selection: selection, content: content) { Text(title) }
    }

    /// A picker of several values with a text.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringKey, sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(ViewTitle.of(title), sources: sources, selection: selection, content: content) { Text(title) }
    }

    /// A picker of several values with a text.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, C: RandomAccessCollection>(
        _ title: S, sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(ViewTitle.of(title), sources: sources, selection: selection, content: content) { Text(title) }
    }

    /// A picker of several values with a text.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    @_disfavoredOverload
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringResource, sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(ViewTitle.of(title), sources: sources, selection: selection, content: content) { Text(title) }
    }

    /// A picker that shows what is chosen with a text.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public init(
        _ title: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content,
        @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(ViewTitle.of(title), selection: selection, content: content, currentValueLabel: currentValueLabel) {
            Text(title)
        }
    }

    /// A picker that shows what is chosen with a text.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content,
        @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(ViewTitle.of(title), selection: selection, content: content, currentValueLabel: currentValueLabel) {
            Text(title)
        }
    }

    /// A picker that shows what is chosen with a text.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content,
        @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(ViewTitle.of(title), selection: selection, content: content, currentValueLabel: currentValueLabel) {
            Text(title)
        }
    }

    /// A picker of several values that shows what is chosen with a text.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringKey, sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content, @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(
            ViewTitle.of(title), sources: sources, selection: selection, content: content,
            currentValueLabel: currentValueLabel
        ) { Text(title) }
    }

    /// A picker of several values that shows what is chosen with a text.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, C: RandomAccessCollection>(
        _ title: S, sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content, @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(
            ViewTitle.of(title), sources: sources, selection: selection, content: content,
            currentValueLabel: currentValueLabel
        ) { Text(title) }
    }

    /// A picker of several values that shows what is chosen with a text.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @_disfavoredOverload
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringResource, sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content, @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(
            ViewTitle.of(title), sources: sources, selection: selection, content: content,
            currentValueLabel: currentValueLabel
        ) { Text(title) }
    }
}
#endif
