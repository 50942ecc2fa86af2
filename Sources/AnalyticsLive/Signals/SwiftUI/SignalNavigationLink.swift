#if canImport(SwiftUI)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4), under
// the same names and with the same conditions. Initialisers that name a destination by a text, withdrawn before iOS
// 13.4, are missing.

/// A link that emits signals when its destination appears and disappears. Everything else is SwiftUI's.
///
/// A link with a value shows its destination through `navigationDestination(for:destination:)`, where
/// `signalNavigation(screen:)` makes it a screen.
nonisolated public struct SignalNavigationLink<Label: View, Destination: View>: View {
    private enum Kind {
        case screen(NavigationLink<Label, SignalScreen<Destination>>)
        case value(NavigationLink<Label, Destination>)
    }

    private let kind: Kind

    @MainActor public var body: some View {
        switch kind {
        case .screen(let link): link
        case .value(let link): link
        }
    }

    #if os(iOS) || os(visionOS)
    /// Whether the destination is shown as the detail of a view of several columns.
    @ViewBuilder
    public func isDetailLink(_ isDetailLink: Bool) -> some View {
        switch kind {
        case .screen(let link): link.isDetailLink(isDetailLink)
        case .value(let link): link.isDetailLink(isDetailLink)
        }
    }
    #endif

    private init(screen link: NavigationLink<Label, SignalScreen<Destination>>) { kind = .screen(link) }
    private init(value link: NavigationLink<Label, Destination>) { kind = .value(link) }
}

extension SignalNavigationLink {
    /// A link with a label of any kind.
    public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
        let (destination, label) = (destination(), label())
        let screen = SignalScreen(destination, name: nil)
        self.init(screen: NavigationLink(destination: { screen }, label: { label }))
    }

    /// A link with a label of any kind, to a destination that was made before.
    public init(destination: Destination, @ViewBuilder label: () -> Label) {
        self.init(screen: NavigationLink(destination: SignalScreen(destination, name: nil), label: label))
    }

    /// A link that a value opens and closes.
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init(
        isActive: Binding<Bool>, @ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label
    ) {
        let screen = SignalScreen(destination(), name: nil)
        self.init(screen: NavigationLink(isActive: isActive, destination: { screen }, label: label))
    }

    /// A link that a value opens and closes, to a destination that was made before.
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init(destination: Destination, isActive: Binding<Bool>, @ViewBuilder label: () -> Label) {
        let screen = SignalScreen(destination, name: nil)
        self.init(screen: NavigationLink(destination: screen, isActive: isActive, label: label))
    }

    /// A link that is open while its tag is selected.
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init<V: Hashable>(
        tag: V, selection: Binding<V?>, @ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label
    ) {
        let screen = SignalScreen(destination(), name: nil)
        self.init(screen: NavigationLink(tag: tag, selection: selection, destination: { screen }, label: label))
    }

    /// A link that is open while its tag is selected, to a destination that was made before.
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init<V: Hashable>(
        destination: Destination, tag: V, selection: Binding<V?>, @ViewBuilder label: () -> Label
    ) {
        let screen = SignalScreen(destination, name: nil)
        self.init(screen: NavigationLink(destination: screen, tag: tag, selection: selection, label: label))
    }
}

extension SignalNavigationLink where Label == Text {
    /// A link with a text.
    public init(_ title: LocalizedStringKey, @ViewBuilder destination: () -> Destination) {
        let screen = SignalScreen(destination(), name: nil)
        self.init(screen: NavigationLink(title, destination: { screen }))
    }

    /// A link with a text, to a destination that was made before.
    public init(_ title: LocalizedStringKey, destination: Destination) {
        let screen = SignalScreen(destination, name: nil)
        self.init(screen: NavigationLink(title, destination: screen))
    }

    /// A link with a text that a value opens and closes.
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init(
        _ title: LocalizedStringKey, isActive: Binding<Bool>, @ViewBuilder destination: () -> Destination
    ) {
        let screen = SignalScreen(destination(), name: nil)
        self.init(screen: NavigationLink(title, isActive: isActive, destination: { screen }))
    }

    /// The same to a destination that was made before.
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init(_ title: LocalizedStringKey, destination: Destination, isActive: Binding<Bool>) {
        let screen = SignalScreen(destination, name: nil)
        self.init(screen: NavigationLink(title, destination: screen, isActive: isActive))
    }

    /// A link with a text that is open while its tag is selected.
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init<V: Hashable>(
        _ title: LocalizedStringKey, tag: V, selection: Binding<V?>, @ViewBuilder destination: () -> Destination
    ) {
        let screen = SignalScreen(destination(), name: nil)
        self.init(screen: NavigationLink(title, tag: tag, selection: selection, destination: { screen }))
    }

    /// The same to a destination that was made before.
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    public init<V: Hashable>(
        _ title: LocalizedStringKey, destination: Destination, tag: V, selection: Binding<V?>
    ) {
        let screen = SignalScreen(destination, name: nil)
        self.init(screen: NavigationLink(title, destination: screen, tag: tag, selection: selection))
    }

    /// A link with a text.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder destination: () -> Destination) {
        let screen = SignalScreen(destination(), name: nil)
        self.init(screen: NavigationLink(title, destination: { screen }))
    }

    /// A link with a text, to a destination that was made before.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: Destination) {
        let screen = SignalScreen(destination, name: nil)
        self.init(screen: NavigationLink(title, destination: screen))
    }

    /// A link with a text that a value opens and closes.
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, isActive: Binding<Bool>, @ViewBuilder destination: () -> Destination
    ) {
        let screen = SignalScreen(destination(), name: nil)
        self.init(screen: NavigationLink(title, isActive: isActive, destination: { screen }))
    }

    /// The same to a destination that was made before.
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: Destination, isActive: Binding<Bool>) {
        let screen = SignalScreen(destination, name: nil)
        self.init(screen: NavigationLink(title, destination: screen, isActive: isActive))
    }

    /// A link with a text that is open while its tag is selected.
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    @_disfavoredOverload
    public init<S: StringProtocol, V: Hashable>(
        _ title: S, tag: V, selection: Binding<V?>, @ViewBuilder destination: () -> Destination
    ) {
        let screen = SignalScreen(destination(), name: nil)
        self.init(screen: NavigationLink(title, tag: tag, selection: selection, destination: { screen }))
    }

    /// The same to a destination that was made before.
    @available(iOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(macOS, introduced: 10.15, deprecated: 13.0, message: "use a link with a value in a NavigationStack")
    @available(tvOS, introduced: 13.0, deprecated: 16.0, message: "use a link with a value in a NavigationStack")
    @available(watchOS, introduced: 6.0, deprecated: 9.0, message: "use a link with a value in a NavigationStack")
    @available(visionOS, introduced: 1.0, deprecated: 1.0, message: "use a link with a value in a NavigationStack")
    @_disfavoredOverload
    public init<S: StringProtocol, V: Hashable>(
        _ title: S, destination: Destination, tag: V, selection: Binding<V?>
    ) {
        let screen = SignalScreen(destination, name: nil)
        self.init(screen: NavigationLink(title, destination: screen, tag: tag, selection: selection))
    }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
extension SignalNavigationLink where Destination == Never {
    /// A link with a value and a label of any kind.
    public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {
        self.init(value: NavigationLink(value: value, label: label))
    }

    /// The same with a value that can be restored.
    public init<P: Hashable & Codable>(value: P?, @ViewBuilder label: () -> Label) {
        self.init(value: NavigationLink(value: value, label: label))
    }

    /// A link with a value and a text.
    public init<P: Hashable>(_ title: LocalizedStringKey, value: P?) where Label == Text {
        self.init(value: NavigationLink(title, value: value))
    }

    /// A link with a value and a text.
    @_disfavoredOverload
    public init<S: StringProtocol, P: Hashable>(_ title: S, value: P?) where Label == Text {
        self.init(value: NavigationLink(title, value: value))
    }

    /// The same with a value that can be restored.
    public init<P: Hashable & Codable>(_ title: LocalizedStringKey, value: P?) where Label == Text {
        self.init(value: NavigationLink(title, value: value))
    }

    /// The same with a value that can be restored.
    @_disfavoredOverload
    public init<S: StringProtocol, P: Hashable & Codable>(_ title: S, value: P?) where Label == Text {
        self.init(value: NavigationLink(title, value: value))
    }
}
#endif
