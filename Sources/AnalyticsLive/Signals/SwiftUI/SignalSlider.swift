#if canImport(SwiftUI) && !os(tvOS)
public import SwiftUI
import TributaryJSON

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4), under
// the same names and with the same conditions. Sliders with ticks and neutral values, of the SDK of iOS 26, are in
// SignalSlider+Ticks.swift.

/// A slider that emits a signal with its value when the user releases it. Everything else is SwiftUI's.
nonisolated public struct SignalSlider<Label: View, ValueLabel: View>: View {
    private let slider: Slider<Label, ValueLabel>
    private let name: ControlName
    @Environment(\.signalAnnotation) private var annotation

    @MainActor public var body: some View {
        name.annotation = annotation
        return slider
    }

    init(_ slider: Slider<Label, ValueLabel>, _ name: ControlName) {
        self.slider = slider
        self.name = name
    }

    /// Emits the value at the end of each editing; otherwise each step on the way would be a signal.
    static func signaling<V: BinaryFloatingPoint>(
        _ changed: @escaping (Bool) -> Void, _ value: Binding<V>, _ name: ControlName
    ) -> (Bool) -> Void {
        { isEditing in
            if !isEditing { ControlSignals.report("Slider", name, ["value": .init(value: Double(value.wrappedValue))]) }
            changed(isEditing)
        }
    }
}

extension SignalSlider {
    /// A slider with a label and labels of its ends.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint {
        let label = label()
        let name = ViewTitle.of(label)
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(
            Slider(
                value: value, in: bounds, label: { label }, minimumValueLabel: minimumValueLabel,
                maximumValueLabel: maximumValueLabel, onEditingChanged: signaling), name)
    }

    /// A slider in steps with a label and labels of its ends.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint {
        let label = label()
        let name = ViewTitle.of(label)
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(
            Slider(
                value: value, in: bounds, step: step, label: { label }, minimumValueLabel: minimumValueLabel,
                maximumValueLabel: maximumValueLabel, onEditingChanged: signaling), name)
    }

    /// A slider with a label and ends that were made before.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, onEditingChanged: @escaping (Bool) -> Void = { _ in },
        minimumValueLabel: ValueLabel, maximumValueLabel: ValueLabel, @ViewBuilder label: () -> Label
    ) where V.Stride: BinaryFloatingPoint {
        let label = label()
        let name = ViewTitle.of(label)
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(
            Slider(
                value: value, in: bounds, onEditingChanged: signaling, minimumValueLabel: minimumValueLabel,
                maximumValueLabel: maximumValueLabel, label: { label }), name)
    }

    /// A slider in steps with a label and ends that were made before.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }, minimumValueLabel: ValueLabel,
        maximumValueLabel: ValueLabel, @ViewBuilder label: () -> Label
    ) where V.Stride: BinaryFloatingPoint {
        let label = label()
        let name = ViewTitle.of(label)
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(
            Slider(
                value: value, in: bounds, step: step, onEditingChanged: signaling, minimumValueLabel: minimumValueLabel,
                maximumValueLabel: maximumValueLabel, label: { label }), name)
    }
}

extension SignalSlider where ValueLabel == EmptyView {
    /// A slider with a label.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint {
        let label = label()
        let name = ViewTitle.of(label)
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(Slider(value: value, in: bounds, label: { label }, onEditingChanged: signaling), name)
    }

    /// A slider in steps with a label.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint {
        let label = label()
        let name = ViewTitle.of(label)
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(Slider(value: value, in: bounds, step: step, label: { label }, onEditingChanged: signaling), name)
    }

    /// A slider with a label, in the order of earlier systems.
    @_disfavoredOverload
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, onEditingChanged: @escaping (Bool) -> Void = { _ in },
        @ViewBuilder label: () -> Label
    ) where V.Stride: BinaryFloatingPoint {
        let label = label()
        let name = ViewTitle.of(label)
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(Slider(value: value, in: bounds, onEditingChanged: signaling, label: { label }), name)
    }

    /// A slider in steps with a label, in the order of earlier systems.
    @_disfavoredOverload
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }, @ViewBuilder label: () -> Label
    ) where V.Stride: BinaryFloatingPoint {
        let label = label()
        let name = ViewTitle.of(label)
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(Slider(value: value, in: bounds, step: step, onEditingChanged: signaling, label: { label }), name)
    }
}

extension SignalSlider where Label == EmptyView, ValueLabel == EmptyView {
    /// A slider.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint {
        let name = ControlName()
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(Slider(value: value, in: bounds, onEditingChanged: signaling), name)
    }

    /// A slider in steps.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint {
        let name = ControlName()
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(Slider(value: value, in: bounds, step: step, onEditingChanged: signaling), name)
    }
}
#endif
