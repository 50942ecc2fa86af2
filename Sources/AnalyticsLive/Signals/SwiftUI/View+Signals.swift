#if canImport(SwiftUI)
public import SwiftUI

extension View {
    /// Makes this view a screen: it makes navigation signals when it appears and disappears.
    /// - Parameters:
    ///   - screen: its name; that of the view's type unless given.
    ///   - way: how the user comes to it from another screen: `.modal` for what a sheet or a full-screen cover shows, `.popup`
    ///     for a popover, `.page` for the content of a tab of which the app does not keep the selection. Default: `.forward`.
    public func signalNavigation(screen: String? = nil, by way: NavigationAction = .forward) -> SignalScreen<Self> {
        SignalScreen(self, name: screen, by: way)
    }

    /// Makes an interaction signal of each tap on this view, besides the tap's normal effect.
    /// - Parameters:
    ///   - component: the kind of component.
    ///   - title: what it shows, or how it is called.
    @available(tvOS 16.0, *)
    public func signalInteraction(component: String, title: String? = nil) -> some View {
        simultaneousGesture(TapGesture().onEnded { ControlSignals.emit(component, ControlName { title }) })
    }

    /// This view, with a closure that is called at each tap, besides the tap's normal effect.
    @ViewBuilder
    func onTap(_ tell: @escaping @MainActor () -> Void) -> some View {
        #if os(tvOS)
        if #available(tvOS 16.0, *) {
            simultaneousGesture(TapGesture().onEnded { tell() })
        } else {
            self
        }
        #else
        simultaneousGesture(TapGesture().onEnded { tell() })
        #endif
    }

    /// Makes a local data signal each time that this view appears.
    /// - Parameters:
    ///   - action: what was done with the data.
    ///   - identifier: which data it is.
    ///   - model: the data. What has no JSON form is left out, with a diagnostic.
    public func signalLocalData<Model: Encodable>(
        action: LocalDataAction, identifier: String, model: Model?
    ) -> some View {
        onAppear { ControlSignals.signals.signalLocalData(action: action, identifier: identifier, model: model) }
    }
}
#endif
