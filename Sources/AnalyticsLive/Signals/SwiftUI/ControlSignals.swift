#if canImport(SwiftUI)
import SwiftUI
import Tributary
import TributaryActions
import TributaryJSON

/// Emits the signals of controls.
@MainActor
enum ControlSignals {
    /// The receiver of the signals; tests use another one.
    static var signals = Signals.shared

    /// Emits a signal of a control. When the capture is off, only a flag is read.
    static func emit(_ component: String, _ name: ControlName, _ data: JSON? = nil) {
        guard signals.takes(.autoSwiftUI) else { return }
        let title = name.text.map { String($0.prefix(CaptureLimits.titleLetters)) }
        signals.emit(
            signal: InteractionSignal(data: InteractionData(component: component, title: title, data: data)),
            source: .autoSwiftUI)
    }

    /// Emits the signals of a way to another screen.
    static func emit(_ steps: [NavigationData]) {
        guard signals.takes(.autoSwiftUI) else { return }
        for step in steps { signals.emit(signal: NavigationSignal(data: step), source: .autoSwiftUI) }
    }

    /// An action that emits its signal first, so that signals of the app in the action come later.
    nonisolated static func signaling(
        _ action: @escaping ControlAction, _ component: String, _ name: ControlName
    ) -> ControlAction {
        // Closures of apps are not Sendable; only a control calls this one, on the main actor, as SwiftUI does.
        let action = Handed(action)
        return {
            emit(component, name)
            action.value()
        }
    }

    /// Emits a signal from a closure that SwiftUI calls on the main thread without declaring so. On another thread it
    /// emits none.
    nonisolated static func report(_ component: String, _ name: ControlName, _ data: JSON) {
        guard MainQueue.isCurrent else { return }
        MainActor.assumeIsolated { emit(component, name, data) }
    }

    /// A step of a stepper. A step without an action stays without one, because it is shown as disabled.
    nonisolated static func step(_ action: (() -> Void)?, _ way: String, _ name: ControlName) -> (() -> Void)? {
        action.map { action in
            {
                report("Stepper", name, ["action": .string(way)])
                action()
            }
        }
    }
}
#endif
