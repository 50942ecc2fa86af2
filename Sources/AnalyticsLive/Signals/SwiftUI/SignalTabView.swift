#if canImport(SwiftUI)
public import SwiftUI
import TributaryJSON

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4), under
// the same names and with the same conditions. A customisation is a modifier there, and needs none.

/// Tabs that emit two signals at each change: `page` for the tab, and an interaction. Everything else is SwiftUI's.
nonisolated public struct SignalTabView<SelectionValue: Hashable, Content: View>: View {
    private let tabs: TabView<SelectionValue, Content>
    private let name: ControlName
    @Environment(\.signalAnnotation) private var annotation

    @MainActor public var body: some View {
        name.annotation = annotation
        return tabs
    }

    private init(_ tabs: TabView<SelectionValue, Content>, _ name: ControlName = ControlName()) {
        self.tabs = tabs
        self.name = name
    }

    @MainActor fileprivate static func selected(_ old: SelectionValue, _ new: SelectionValue, _ control: ControlName) {
        guard old != new else { return }
        let (previous, selected) = (JSON(value: old), JSON(value: new))
        ControlSignals.emit(
            "TabView", control, ["action": "tabSelected", "previousTab": previous, "selectedTab": selected])
        ControlSignals.emit([NavigationData(action: .page, screen: name(selected), previousScreen: name(previous))])
    }

    private static func name(_ tab: JSON) -> String { tab.stringValue ?? tab.toString() }
}

extension SignalTabView {
    /// Tabs with a selection that the app holds.
    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
        let name = ControlName()
        self.init(TabView(selection: selection?.observed { Self.selected($0, $1, name) }, content: content), name)
    }

    /// Tabs given as `Tab` values, with a selection that the app holds.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public init<C: TabContent>(
        selection: Binding<SelectionValue>, @TabContentBuilder<SelectionValue> content: () -> C
    ) where Content == TabContentBuilder<SelectionValue>.Content<C>, C.TabValue == SelectionValue {
        let name = ControlName()
        self.init(TabView(selection: selection.observed { Self.selected($0, $1, name) }, content: content), name)
    }
}

extension SignalTabView where SelectionValue == Int {
    /// Tabs that hold the selection themselves. SwiftUI does not report its changes, so mark the content of each tab
    /// with `signalNavigation(by: .page)`. Then each tab that the user goes to emits `page`.
    public init(@ViewBuilder content: () -> Content) {
        self.init(TabView(content: content))
    }
}

@available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
extension SignalTabView where SelectionValue == Never {
    /// Tabs given as `Tab` values that hold the selection themselves. Mark their content in the same way.
    public init<C: TabContent>(@TabContentBuilder<Never> content: () -> C)
    where Content == TabContentBuilder<Never>.Content<C>, C.TabValue == Never {
        self.init(TabView(content: content))
    }
}
#endif
