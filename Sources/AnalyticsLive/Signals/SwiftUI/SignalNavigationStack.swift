#if canImport(SwiftUI)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4), under
// the same names and with the same conditions. All are there.

/// A stack with a screen as its root. It emits signals when its path changes. Everything else is SwiftUI's.
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
nonisolated public struct SignalNavigationStack<Data, Root: View>: View {
    private let stack: NavigationStack<Data, SignalScreen<Root>>

    @MainActor public var body: some View { stack }

    private init(_ stack: NavigationStack<Data, SignalScreen<Root>>) { self.stack = stack }

    /// Emits the steps forward and back along the path, unless the app has made its destinations screens, which emit
    /// more.
    @MainActor fileprivate static func moved(from old: Int, to new: Int, last: String) {
        guard old != new else { return }
        let action: NavigationAction = old < new ? .forward : .backward
        ControlSignals.emit([NavigationData(action: action, screen: last)])
    }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
extension SignalNavigationStack where Data == NavigationPath {
    /// A stack that keeps its path itself.
    @MainActor @preconcurrency
    public init(@ViewBuilder root: () -> Root) {
        let screen = SignalScreen(root(), name: nil)
        self.init(NavigationStack(root: { screen }))
    }

    /// A stack with a path that the app keeps, of values of any types.
    @MainActor @preconcurrency
    public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) {
        let screen = SignalScreen(root(), name: nil)
        let observed = path.observed { old, new in Self.moved(from: old.count, to: new.count, last: "NavigationPath") }
        self.init(NavigationStack(path: observed, root: { screen }))
    }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
extension SignalNavigationStack
where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {
    /// A stack with a path that the app keeps, of values of one type.
    @MainActor @preconcurrency
    public init(path: Binding<Data>, @ViewBuilder root: () -> Root) {
        let screen = SignalScreen(root(), name: nil)
        let observed = path.observed { old, new in
            Self.moved(from: old.count, to: new.count, last: ScreenNaming.name(ofType: "\(Data.Element.self)"))
        }
        self.init(NavigationStack(path: observed, root: { screen }))
    }
}
#endif
