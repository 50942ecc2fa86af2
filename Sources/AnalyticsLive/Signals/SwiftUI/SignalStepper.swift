#if canImport(SwiftUI) && !os(tvOS)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4), under
// the same names and with the same conditions. Initialisers with a label before the closures, deprecated since iOS
// 13.4, are there, too.

/// A stepper that emits a signal at each step. Everything else is SwiftUI's.
@available(iOS 13.0, macOS 10.15, watchOS 9.0, *)
nonisolated public struct SignalStepper<Label: View>: View {
    private let stepper: Stepper<Label>
    private let name: ControlName
    @Environment(\.signalAnnotation) private var annotation

    @MainActor public var body: some View {
        name.annotation = annotation
        return stepper
    }

    init(_ stepper: Stepper<Label>, _ name: ControlName) {
        self.stepper = stepper
        self.name = name
    }
}

@available(iOS 13.0, macOS 10.15, watchOS 9.0, *)
extension SignalStepper {
    /// A stepper of steps that the app takes, with a label of any kind.
    public init(
        @ViewBuilder label: () -> Label, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(
            Stepper(
                label: { label }, onIncrement: ControlSignals.step(onIncrement, "increment", name),
                onDecrement: ControlSignals.step(onDecrement, "decrement", name),
                onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of steps that the app takes, in the order of earlier systems.
    @_disfavoredOverload
    public init(
        onIncrement: (() -> Void)?, onDecrement: (() -> Void)?, onEditingChanged: @escaping (Bool) -> Void = { _ in },
        @ViewBuilder label: () -> Label
    ) {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(
            Stepper(
                onIncrement: ControlSignals.step(onIncrement, "increment", name),
                onDecrement: ControlSignals.step(onDecrement, "decrement", name),
                onEditingChanged: onEditingChanged, label: { label }), name)
    }

    /// A stepper of a value, with a label of any kind.
    public init<V: Strideable>(
        value: Binding<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(
            Stepper(
                value: value.stepped(name), step: step, label: { label },
                onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of a value, in the order of earlier systems.
    @_disfavoredOverload
    public init<V: Strideable>(
        value: Binding<V>, step: V.Stride = 1, onEditingChanged: @escaping (Bool) -> Void = { _ in },
        @ViewBuilder label: () -> Label
    ) {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(
            Stepper(
                value: value.stepped(name), step: step, onEditingChanged: onEditingChanged,
                label: { label }), name)
    }

    /// A stepper of a value within bounds, with a label of any kind.
    public init<V: Strideable>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(
            Stepper(
                value: value.stepped(name), in: bounds, step: step, label: { label },
                onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of a value within bounds, in the order of earlier systems.
    @_disfavoredOverload
    public init<V: Strideable>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in },
        @ViewBuilder label: () -> Label
    ) {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(
            Stepper(
                value: value.stepped(name), in: bounds, step: step, onEditingChanged: onEditingChanged,
                label: { label }), name)
    }

    /// A stepper of a value with a format, with a label of any kind.
    @available(iOS 16.0, macOS 13.0, watchOS 9.0, *)
    public init<F: ParseableFormatStyle>(
        value: Binding<F.FormatInput>, step: F.FormatInput.Stride = 1, format: F, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where F.FormatInput: BinaryFloatingPoint, F.FormatOutput == String {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(
            Stepper(
                value: value.stepped(name), step: step, format: format, label: { label },
                onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of a value with a format within bounds, with a label of any kind.
    @available(iOS 16.0, macOS 13.0, watchOS 9.0, *)
    public init<F: ParseableFormatStyle>(
        value: Binding<F.FormatInput>, in bounds: ClosedRange<F.FormatInput>, step: F.FormatInput.Stride = 1, format: F,
        @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where F.FormatInput: BinaryFloatingPoint, F.FormatOutput == String {
        let label = label()
        let name = ViewTitle.of(label)
        self.init(
            Stepper(
                value: value.stepped(name), in: bounds, step: step, format: format, label: { label },
                onEditingChanged: onEditingChanged), name)
    }
}

@available(iOS 13.0, macOS 10.15, watchOS 9.0, *)
extension SignalStepper where Label == Text {
    /// A stepper of steps that the app takes, with a text.
    public init(
        _ title: LocalizedStringKey, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        let name = ViewTitle.of(title)
        self.init(
            Stepper(
                title, onIncrement: ControlSignals.step(onIncrement, "increment", name),
                onDecrement: ControlSignals.step(onDecrement, "decrement", name),
                onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of steps that the app takes, with a text.
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        let name = ViewTitle.of(title)
        self.init(
            Stepper(
                title, onIncrement: ControlSignals.step(onIncrement, "increment", name),
                onDecrement: ControlSignals.step(onDecrement, "decrement", name),
                onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of a value, with a text.
    public init<V: Strideable>(
        _ title: LocalizedStringKey, value: Binding<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        let name = ViewTitle.of(title)
        self.init(
            Stepper(title, value: value.stepped(name), step: step, onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of a value, with a text.
    @_disfavoredOverload
    public init<S: StringProtocol, V: Strideable>(
        _ title: S, value: Binding<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        let name = ViewTitle.of(title)
        self.init(
            Stepper(title, value: value.stepped(name), step: step, onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of a value within bounds, with a text.
    public init<V: Strideable>(
        _ title: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        let name = ViewTitle.of(title)
        self.init(
            Stepper(
                title, value: value.stepped(name), in: bounds, step: step,
                onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of a value within bounds, with a text.
    @_disfavoredOverload
    public init<S: StringProtocol, V: Strideable>(
        _ title: S, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        let name = ViewTitle.of(title)
        self.init(
            Stepper(
                title, value: value.stepped(name), in: bounds, step: step,
                onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of a value with a format, with a text.
    @available(iOS 16.0, macOS 13.0, watchOS 9.0, *)
    public init<F: ParseableFormatStyle>(
        _ title: LocalizedStringKey, value: Binding<F.FormatInput>, step: F.FormatInput.Stride = 1, format: F,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where F.FormatInput: BinaryFloatingPoint, F.FormatOutput == String {
        let name = ViewTitle.of(title)
        self.init(
            Stepper(
                title, value: value.stepped(name), step: step, format: format,
                onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of a value with a format, with a text.
    @available(iOS 16.0, macOS 13.0, watchOS 9.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, F: ParseableFormatStyle>(
        _ title: S, value: Binding<F.FormatInput>, step: F.FormatInput.Stride = 1, format: F,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where F.FormatInput: BinaryFloatingPoint, F.FormatOutput == String {
        let name = ViewTitle.of(title)
        self.init(
            Stepper(
                title, value: value.stepped(name), step: step, format: format,
                onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of a value with a format within bounds, with a text.
    @available(iOS 16.0, macOS 13.0, watchOS 9.0, *)
    public init<F: ParseableFormatStyle>(
        _ title: LocalizedStringKey, value: Binding<F.FormatInput>, in bounds: ClosedRange<F.FormatInput>,
        step: F.FormatInput.Stride = 1, format: F,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where F.FormatInput: BinaryFloatingPoint, F.FormatOutput == String {
        let name = ViewTitle.of(title)
        self.init(
            Stepper(
                title, value: value.stepped(name), in: bounds, step: step, format: format,
                onEditingChanged: onEditingChanged), name)
    }

    /// A stepper of a value with a format within bounds, with a text.
    @available(iOS 16.0, macOS 13.0, watchOS 9.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, F: ParseableFormatStyle>(
        _ title: S, value: Binding<F.FormatInput>, in bounds: ClosedRange<F.FormatInput>,
        step: F.FormatInput.Stride = 1, format: F,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where F.FormatInput: BinaryFloatingPoint, F.FormatOutput == String {
        let name = ViewTitle.of(title)
        self.init(
            Stepper(
                title, value: value.stepped(name), in: bounds, step: step, format: format,
                onEditingChanged: onEditingChanged), name)
    }
}
#endif
