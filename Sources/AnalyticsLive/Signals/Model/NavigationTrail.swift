/// The screens that lie upon one another, and which signals a screen makes that comes or goes.
///
/// A screen that appears makes `entering`, one that disappears `leaving`; before that, `forward` when it came upon another
/// one, and `backward` when the user went back from it.
struct NavigationTrail<ID: Hashable> {
    private var screens: [(id: ID, name: String)] = []
    /// Screens that lie upon one another at the most; the lowest are forgotten. No stack of an app is that high.
    private static var limit: Int { 256 }

    /// The screen that lies on top.
    var top: String? { screens.last?.name }

    mutating func appeared(_ id: ID, _ name: String) -> [NavigationData] {
        guard let place = screens.firstIndex(where: { $0.id == id }) else {
            let former = screens.last?.name
            screens.append((id, name))
            if screens.count > Self.limit { screens.removeFirst() }
            let entering = NavigationData(action: .entering, screen: name, previousScreen: former)
            guard let former else { return [entering] }
            return [NavigationData(action: .forward, screen: name, previousScreen: former), entering]
        }
        let former = screens.last?.name
        // It lay below others: the user went back over them.
        let isBack = place < screens.count - 1
        screens.removeLast(screens.count - 1 - place)
        let entering = NavigationData(action: .entering, screen: name, previousScreen: isBack ? former : nil)
        return isBack
            ? [NavigationData(action: .backward, screen: name, previousScreen: former), entering] : [entering]
    }

    mutating func disappeared(_ id: ID, _ name: String) -> [NavigationData] {
        let leaving = NavigationData(action: .leaving, screen: name)
        guard screens.last?.id == id else {
            // Another one lies upon it, or it is gone already.
            return [leaving]
        }
        screens.removeLast()
        guard let below = screens.last?.name else { return [leaving] }
        return [NavigationData(action: .backward, screen: below, previousScreen: name), leaving]
    }
}
