/// Finds the visible screen among view controllers that contain each other.
struct ScreenTree<Screen> {
    let presented: (Screen) -> Screen?
    /// The top of a stack of screens.
    let stackTop: (Screen) -> Screen?
    /// The selected tab.
    let selectedTab: (Screen) -> Screen?
    /// The child that the app names as its main one.
    let main: (Screen) -> Screen?
    let firstChild: (Screen) -> Screen?

    /// The visible screen, as in analytics-ios.
    func top(of root: Screen) -> Screen {
        var screen = root
        // The limit is deeper than any app, and stops at a controller that contains itself.
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
