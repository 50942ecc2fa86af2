#if canImport(SwiftUI)
public import SwiftUI

extension View {
    /// Makes this view a screen: it emits navigation signals when it appears and disappears.
    /// - Parameters:
    ///   - screen: the name of the screen. Default: the name of the view's type.
    ///   - way: the way to this screen from another one: `.modal` for a sheet or a full-screen cover, `.popup` for a
    ///     popover, `.page` for the content of a tab whose selection the app does not hold. Default: `.forward`.
    public func signalNavigation(screen: String? = nil, by way: NavigationAction = .forward) -> SignalScreen<Self> {
        SignalScreen(self, name: screen, by: way)
    }

    /// Emits an interaction signal at each tap on this view, besides the tap's normal effect.
    /// - Parameters:
    ///   - component: the kind of component.
    ///   - title: the text or the name of the component.
    @available(tvOS 16.0, *)
    public func signalInteraction(component: String, title: String? = nil) -> some View {
        simultaneousGesture(TapGesture().onEnded { ControlSignals.emit(component, ControlName { title }) })
    }

    /// This view, with a closure that is called at each tap, besides the tap's normal effect.
    @ViewBuilder
    func onTap(_ report: @escaping @MainActor () -> Void) -> some View {
        #if os(tvOS)
        if #available(tvOS 16.0, *) {
            simultaneousGesture(TapGesture().onEnded { report() })
        } else {
            self
        }
        #else
        simultaneousGesture(TapGesture().onEnded { report() })
        #endif
    }

    /// Emits a local data signal each time that this view appears.
    /// - Parameters:
    ///   - action: what the app did with the data.
    ///   - identifier: the name of the data.
    ///   - model: the data. Values without a JSON form are left out, with a diagnostic.
    public func signalLocalData<Model: Encodable>(
        action: LocalDataAction, identifier: String, model: Model?
    ) -> some View {
        onAppear { ControlSignals.signals.signalLocalData(action: action, identifier: identifier, model: model) }
    }
}
#endif
