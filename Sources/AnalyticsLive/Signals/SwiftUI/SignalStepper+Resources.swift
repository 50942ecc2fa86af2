#if canImport(SwiftUI) && !os(tvOS)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 26 and macOS 26 (Xcode 26). They
// are there for every SDK, because they are made of those with a label.

@available(iOS 16.0, macOS 13.0, watchOS 9.0, *)
extension SignalStepper where Label == Text {
    /// A stepper of steps that the app takes, with a text.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        let name = ViewTitle.of(title)
        self.init(
            Stepper(
                label: { Text(title) }, onIncrement: ControlSignals.step(onIncrement, "increment", name),
                onDecrement: ControlSignals.step(onDecrement, "decrement", name),
                onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of a value, with a text.
    @_disfavoredOverload
    public init<V: Strideable>(
        _ title: LocalizedStringResource, value: Binding<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        let name = ViewTitle.of(title)
        self.init(
            Stepper(value: value.stepped(name), step: step, label: { Text(title) }, onEditingChanged: onEditingChanged),
            name)
    }

    /// A stepper of a value within bounds, with a text.
    @_disfavoredOverload
    public init<V: Strideable>(
        _ title: LocalizedStringResource, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        let name = ViewTitle.of(title)
        self.init(
            Stepper(
                value: value.stepped(name), in: bounds, step: step, label: { Text(title) },
                onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of a value with a format, with a text.
    @_disfavoredOverload
    public init<F: ParseableFormatStyle>(
        _ title: LocalizedStringResource, value: Binding<F.FormatInput>, step: F.FormatInput.Stride = 1, format: F,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where F.FormatInput: BinaryFloatingPoint, F.FormatOutput == String {
        let name = ViewTitle.of(title)
        self.init(
            Stepper(
                value: value.stepped(name), step: step, format: format, label: { Text(title) },
                onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of a value with a format within bounds, with a text.
    @_disfavoredOverload
    public init<F: ParseableFormatStyle>(
        _ title: LocalizedStringResource, value: Binding<F.FormatInput>, in bounds: ClosedRange<F.FormatInput>,
        step: F.FormatInput.Stride = 1, format: F,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where F.FormatInput: BinaryFloatingPoint, F.FormatOutput == String {
        let name = ViewTitle.of(title)
        self.init(
            Stepper(
                value: value.stepped(name), in: bounds, step: step, format: format, label: { Text(title) },
                onEditingChanged: onEditingChanged), name)
    }
}
#endif
