/// The ways to another screen.
public enum NavigationAction: String, Codable, Hashable, Sendable, CaseIterable {
    /// Forward, for instance a push onto a navigation stack.
    case forward
    /// Back to the screen before.
    case backward
    /// A presentation over the screen.
    case modal
    /// A screen appears.
    case entering
    /// A screen disappears.
    case leaving
    /// Another page or tab of the same place.
    case page
    /// An alert, a menu or a popover.
    case popup
}
