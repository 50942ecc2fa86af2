#if canImport(SwiftUI)
public import SwiftUI

/// Names the controls of a view in their signals, in place of the text of their labels.
///
/// Inside of a label it names that label, outside of a control that control, and around several controls each of them.
/// The nearest annotation counts. It does not change the display.
nonisolated public struct SignalAnnotation: ViewModifier {
    let text: String

    /// - Parameter text: the `title` of the controls' signals.
    public init(_ text: String) { self.text = text }

    @MainActor public func body(content: Content) -> some View { content.environment(\.signalAnnotation, text) }
}

extension View {
    /// Names the controls of this view in their signals.
    ///
    /// ```swift apple
    /// struct BuyButton: View {
    ///     var body: some View {
    ///         SignalButton(action: { print("bought") }) { Image(systemName: "cart") }
    ///             .signalAnnotation("Buy")
    ///     }
    /// }
    /// ```
    public func signalAnnotation(_ text: String) -> some View { modifier(SignalAnnotation(text)) }

    /// Names the controls of this view by a state.
    /// - Parameters:
    ///   - state: which of the names it is.
    /// - trueText: the name while `state` is true.
    ///   - falseText: the name while it is false.
    public func signalAnnotation(state: Bool, true trueText: String, false falseText: String) -> some View {
        signalAnnotation(state ? trueText : falseText)
    }

    /// Names the controls of this view by a value.
    /// - Parameters:
    ///   - state: the value.
    ///   - text: makes the name of it.
    public func signalAnnotation<T>(state: T, text: (T) -> String) -> some View { signalAnnotation(text(state)) }
}

extension EnvironmentValues {
    /// The name that controls have in their signals.
    var signalAnnotation: String? {
        get { self[SignalAnnotationKey.self] }
        set { self[SignalAnnotationKey.self] = newValue }
    }
}

private struct SignalAnnotationKey: EnvironmentKey {
    static var defaultValue: String? { nil }
}
#endif
