/// The stack of screens, and the signals that a screen makes when it appears or disappears.
///
/// A screen that appears makes `entering`; one that disappears makes `leaving`. Before that comes `forward` when the
/// screen was put on top of another one, and `backward` when the user went back from it.
struct NavigationTrail<ID: Hashable> {
    private var screens: [(id: ID, name: String)] = []
    /// The largest number of screens on the stack; the lowest are forgotten. No app has such a stack.
    private static var limit: Int { 256 }

    /// The screen that lies on top.
    var top: String? { screens.last?.name }

    /// - Parameter way: how a screen that is new comes upon another one.
    mutating func appeared(_ id: ID, _ name: String, by way: NavigationAction = .forward) -> [NavigationData] {
        guard let place = screens.firstIndex(where: { $0.id == id }) else {
            let former = screens.last?.name
            screens.append((id, name))
            if screens.count > Self.limit { screens.removeFirst() }
            let entering = NavigationData(action: .entering, screen: name, previousScreen: former)
            guard let former else { return [entering] }
            return [NavigationData(action: way, screen: name, previousScreen: former), entering]
        }
        let former = screens.last?.name
        // It was below others, so the user went back over them.
        let isBack = place < screens.count - 1
        screens.removeLast(screens.count - 1 - place)
        let entering = NavigationData(action: .entering, screen: name, previousScreen: isBack ? former : nil)
        return isBack
            ? [NavigationData(action: .backward, screen: name, previousScreen: former), entering] : [entering]
    }

    mutating func disappeared(_ id: ID, _ name: String) -> [NavigationData] {
        let leaving = NavigationData(action: .leaving, screen: name)
        guard screens.last?.id == id else {
            // Another screen is on top of it, or it was removed already.
            return [leaving]
        }
        screens.removeLast()
        guard let below = screens.last?.name else { return [leaving] }
        return [NavigationData(action: .backward, screen: below, previousScreen: name), leaving]
    }
}
