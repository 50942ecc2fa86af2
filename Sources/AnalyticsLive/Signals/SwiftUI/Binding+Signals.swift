#if canImport(SwiftUI)
import SwiftUI
import Tributary
import TributaryJSON

extension Binding {
    /// This binding, with a closure that gets each value that is written through it, and the value before.
    func observed(_ onWrite: @escaping @MainActor (Value, Value) -> Void) -> Binding<Value> {
        let observed = ObservedBinding(binding: self, onWrite: onWrite)
        return Binding(get: { observed.binding.wrappedValue }, set: { observed.write($0, $1) })
    }
}

extension Binding where Value: Hashable {
    /// This binding; each change makes a signal.
    func observed(_ component: String, _ name: ControlName) -> Binding<Value> {
        observed { old, new in
            if old != new { ControlSignals.emit(component, name, ["value": .init(value: new)]) }
        }
    }
}

extension Binding where Value: Strideable {
    /// This binding; each step makes a signal.
    func stepped(_ name: ControlName) -> Binding<Value> {
        observed { old, new in
            guard old != new else { return }
            let action = old < new ? "increment" : "decrement"
            ControlSignals.emit("Stepper", name, ["action": .string(action), "value": .init(value: new)])
        }
    }
}

/// A binding and the closure that is called.
///
/// Unchecked because SwiftUI reads and writes the bindings of views on the main thread.
private struct ObservedBinding<Value>: @unchecked Sendable {
    let binding: Binding<Value>
    let onWrite: @MainActor (Value, Value) -> Void

    func write(_ value: Value, _ transaction: Transaction) {
        let written = Handed((value, transaction))
        // A binding that another thread writes to works as before, and makes no signal.
        guard MainQueue.isCurrent else { return binding.transaction(transaction).wrappedValue = value }
        MainActor.assumeIsolated {
            let old = binding.wrappedValue
            binding.transaction(written.value.1).wrappedValue = written.value.0
            onWrite(old, written.value.0)
        }
    }
}

extension JSON {
    /// A value as a signal shows it: numbers, booleans and texts unchanged, cases of an enumeration by name, and any
    /// other value only by its type. The description of an app's own type may contain anything.
    init(value: Any) {
        switch value {
        case let value as Bool: self = .bool(value)
        case let value as String: self = .string(String(value.prefix(CaptureLimits.titleLetters)))
        case let value as any BinaryInteger: self = Int64(exactly: value).map { .number(JSONNumber($0)) } ?? .null
        case let value as Double: self = JSONNumber(value).map(JSON.number) ?? .null
        case let value as Float: self = JSONNumber(Double(value)).map(JSON.number) ?? .null
        default: self = Self.described(value)
        }
    }

    private static func described(_ value: Any) -> JSON {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { JSON(value: $0.value) } ?? .null
        case .enum: return .string(mirror.children.first?.label ?? "\(value)")
        default: return .string("\(type(of: value))")
        }
    }
}
#endif
