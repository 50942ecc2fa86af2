#if canImport(SwiftUI)
import SwiftUI
import TributaryJSON

/// Where the controls tell what was done with them.
@MainActor
enum ControlSignals {
    /// Whose signals they are; another one in tests.
    static var signals = Signals.shared

    /// A signal of a control. Costs a look at a switch when the capture is off.
    static func emit(_ component: String, _ name: ControlName, _ data: JSON? = nil) {
        guard signals.takes(.autoSwiftUI) else { return }
        let title = name.text.map { String($0.prefix(CaptureLimits.titleLetters)) }
        signals.emit(
            signal: InteractionSignal(data: InteractionData(component: component, title: title, data: data)),
            source: .autoSwiftUI)
    }

    /// A way to another screen.
    static func emit(_ steps: [NavigationData]) {
        guard signals.takes(.autoSwiftUI) else { return }
        for step in steps { signals.emit(signal: NavigationSignal(data: step), source: .autoSwiftUI) }
    }

    /// An action that tells of itself first: what the app does in it comes after the signal.
    static func telling(
        _ action: @escaping @MainActor () -> Void, _ component: String, _ name: ControlName
    ) -> @MainActor () -> Void {
        {
            emit(component, name)
            action()
        }
    }

    /// A step of a stepper. One that has no action stays without, because it is shown as disabled.
    static func step(_ action: (() -> Void)?, _ way: String, _ name: ControlName) -> (() -> Void)? {
        action.map { action in
            {
                emit("Stepper", name, ["action": .string(way)])
                action()
            }
        }
    }
}
#endif
