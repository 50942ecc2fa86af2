#if canImport(SwiftUI) && !os(tvOS) && compiler(>=6.2)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 26 and macOS 26 (Xcode 26). There
// the labels of the ends have a default; here there are further initialisers without them.

@available(iOS 26.0, macOS 26.0, watchOS 26.0, visionOS 26.0, *)
extension SignalSlider {
    /// A slider with a neutral value and labels of its ends.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, neutralValue: V? = nil,
        enabledBounds: ClosedRange<V>? = nil, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> some View = { EmptyView() },
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint {
        let label = label()
        let name = ViewTitle.of(label)
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(
            Slider(
                value: value, in: bounds, neutralValue: neutralValue, enabledBounds: enabledBounds,
                label: { label }, currentValueLabel: currentValueLabel, minimumValueLabel: minimumValueLabel,
                maximumValueLabel: maximumValueLabel, onEditingChanged: signaling), name)
    }

    /// A slider with ticks of its own and labels of its ends.
    public init<V: BinaryFloatingPoint, Ticks: SliderTickContent>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, neutralValue: V? = nil,
        enabledBounds: ClosedRange<V>? = nil, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> some View = { EmptyView() },
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        @SliderTickBuilder<V> ticks: () -> Ticks,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint, Ticks.Value == V {
        let label = label()
        let name = ViewTitle.of(label)
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(
            Slider(
                value: value, in: bounds, neutralValue: neutralValue, enabledBounds: enabledBounds,
                label: { label }, currentValueLabel: currentValueLabel, minimumValueLabel: minimumValueLabel,
                maximumValueLabel: maximumValueLabel, ticks: ticks, onEditingChanged: signaling), name)
    }

    /// A slider with ticks at its steps and labels of its ends.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, neutralValue: V? = nil,
        enabledBounds: ClosedRange<V>? = nil, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> some View = { EmptyView() },
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        tick: (V) -> SliderTick<V>? = { _ in nil },
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint {
        let label = label()
        let name = ViewTitle.of(label)
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(
            Slider(
                value: value, in: bounds, step: step, neutralValue: neutralValue, enabledBounds: enabledBounds,
                label: { label }, currentValueLabel: currentValueLabel, minimumValueLabel: minimumValueLabel,
                maximumValueLabel: maximumValueLabel, tick: tick, onEditingChanged: signaling), name)
    }
}

@available(iOS 26.0, macOS 26.0, watchOS 26.0, visionOS 26.0, *)
extension SignalSlider where ValueLabel == EmptyView {
    /// A slider with a neutral value.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, neutralValue: V? = nil,
        enabledBounds: ClosedRange<V>? = nil, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> some View = { EmptyView() },
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint {
        let label = label()
        let name = ViewTitle.of(label)
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(
            Slider(
                value: value, in: bounds, neutralValue: neutralValue, enabledBounds: enabledBounds,
                label: { label }, currentValueLabel: currentValueLabel, minimumValueLabel: { EmptyView() },
                maximumValueLabel: { EmptyView() }, onEditingChanged: signaling), name)
    }

    /// A slider with ticks of its own.
    public init<V: BinaryFloatingPoint, Ticks: SliderTickContent>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, neutralValue: V? = nil,
        enabledBounds: ClosedRange<V>? = nil, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> some View = { EmptyView() },
        @SliderTickBuilder<V> ticks: () -> Ticks,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint, Ticks.Value == V {
        let label = label()
        let name = ViewTitle.of(label)
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(
            Slider(
                value: value, in: bounds, neutralValue: neutralValue, enabledBounds: enabledBounds,
                label: { label }, currentValueLabel: currentValueLabel, minimumValueLabel: { EmptyView() },
                maximumValueLabel: { EmptyView() }, ticks: ticks, onEditingChanged: signaling), name)
    }

    /// A slider with ticks at its steps.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, neutralValue: V? = nil,
        enabledBounds: ClosedRange<V>? = nil, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> some View = { EmptyView() },
        tick: (V) -> SliderTick<V>? = { _ in nil },
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V.Stride: BinaryFloatingPoint {
        let label = label()
        let name = ViewTitle.of(label)
        let signaling = Self.signaling(onEditingChanged, value, name)
        self.init(
            Slider(
                value: value, in: bounds, step: step, neutralValue: neutralValue, enabledBounds: enabledBounds,
                label: { label }, currentValueLabel: currentValueLabel, minimumValueLabel: { EmptyView() },
                maximumValueLabel: { EmptyView() }, tick: tick, onEditingChanged: signaling), name)
    }
}
#endif
