#if canImport(SwiftUI)
public import SwiftUI

/// A view that is a screen: it makes signals when it appears and disappears.
nonisolated public struct SignalScreen<Content: View>: View {
    @State private var identity = ScreenIdentity()
    private let content: Content
    private let name: String
    private let way: NavigationAction

    init(_ content: Content, name: String?, by way: NavigationAction = .forward) {
        self.content = content
        self.way = way
        self.name = name ?? ScreenNaming.name(ofType: "\(Content.self)")
    }

    @MainActor public var body: some View {
        content.onAppear {
            ControlSignals.emit(SignalScreens.trail.appeared(ObjectIdentifier(identity), name, by: way))
        }.onDisappear {
            ControlSignals.emit(SignalScreens.trail.disappeared(ObjectIdentifier(identity), name))
        }
    }
}

/// The stack of SwiftUI's screens in this process.
@MainActor
enum SignalScreens {
    static var trail = NavigationTrail<ObjectIdentifier>()
}

/// Stays the same as long as SwiftUI treats a view as the same.
final class ScreenIdentity: Sendable {}
#endif
