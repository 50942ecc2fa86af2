/// The stack of screens, and the signals that a screen makes when it appears or disappears.
///
/// A screen that appears makes `entering`; one that disappears makes `leaving`. Before that comes `forward` when the
/// screen was put on top of another one, and `backward` when the user went back from it. The content of a tab makes
/// `page` instead, in both directions.
struct NavigationTrail<ID: Hashable> {
    private struct Screen {
        let id: ID
        let name: String
        var isTab = false
    }

    private var screens: [Screen] = []
    /// The tab that has disappeared, until another one appears. With SwiftUI, the order of the two is not fixed.
    private var leftTab: String?
    /// The largest number of screens on the stack. The lowest are forgotten; no app has such a stack.
    private static var limit: Int { 256 }

    /// The screen on top.
    var top: String? { screens.last?.name }

    /// - Parameter way: the way in which a new screen is put on another one.
    mutating func appeared(_ id: ID, _ name: String, by way: NavigationAction = .forward) -> [NavigationData] {
        if way == .page { return turned(to: Screen(id: id, name: name, isTab: true)) }
        guard let place = screens.firstIndex(where: { $0.id == id }) else {
            let former = screens.last?.name
            push(Screen(id: id, name: name))
            return Self.steps(way, to: name, from: former)
        }
        let former = screens.last?.name
        // It was below others, so the user went back to it.
        let isBack = place < screens.count - 1
        screens.removeLast(screens.count - 1 - place)
        return Self.steps(.backward, to: name, from: isBack ? former : nil)
    }

    mutating func disappeared(_ id: ID, _ name: String) -> [NavigationData] {
        let leaving = NavigationData(action: .leaving, screen: name)
        if let place = screens.firstIndex(where: { $0.id == id && $0.isTab }) {
            screens.remove(at: place)
            if screens.last?.isTab != true { leftTab = name }
            return [leaving]
        }
        guard screens.last?.id == id else {
            // Another screen is on top of it, or it was removed already.
            return [leaving]
        }
        screens.removeLast()
        guard let below = screens.last?.name else { return [leaving] }
        return [NavigationData(action: .backward, screen: below, previousScreen: name), leaving]
    }

    private mutating func turned(to tab: Screen) -> [NavigationData] {
        screens.removeAll { $0.id == tab.id }
        let former = leftTab ?? screens.last?.name
        leftTab = nil
        push(tab)
        return Self.steps(.page, to: tab.name, from: former)
    }

    private mutating func push(_ screen: Screen) {
        screens.append(screen)
        if screens.count > Self.limit { screens.removeFirst() }
    }

    /// The way to a screen from the last screen, if any, and the entering.
    private static func steps(_ way: NavigationAction, to name: String, from former: String?) -> [NavigationData] {
        let entering = NavigationData(action: .entering, screen: name, previousScreen: former)
        guard let former else { return [entering] }
        return [NavigationData(action: way, screen: name, previousScreen: former), entering]
    }
}
