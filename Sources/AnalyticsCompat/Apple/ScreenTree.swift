/// Finds what the user sees among view controllers that hold one another.
struct ScreenTree<Screen> {
    let presented: (Screen) -> Screen?
    /// The uppermost of a stack of screens.
    let stackTop: (Screen) -> Screen?
    /// The chosen one among tabs.
    let selectedTab: (Screen) -> Screen?
    /// The one that the app itself calls the main one.
    let main: (Screen) -> Screen?
    let firstChild: (Screen) -> Screen?

    /// The screen on top of everything, as analytics-ios looks for it.
    func top(of root: Screen) -> Screen {
        var screen = root
        // Deeper than any app, so that a controller that contains itself does not cause an endless search.
        for _ in 0..<100 {
            guard
                let next = presented(screen) ?? stackTop(screen) ?? selectedTab(screen) ?? main(screen)
                    ?? firstChild(screen)
            else { break }
            screen = next
        }
        return screen
    }
}
