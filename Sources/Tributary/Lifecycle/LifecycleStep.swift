/// A step in the life of an app, in terms that all systems share.
package enum LifecycleStep: Sendable, Equatable {
    /// The app was started; by whom and with what, where that is known. In the background, for a notification or a download,
    /// nobody sees it.
    case launched(url: String? = nil, referringApplication: String? = nil, isInBackground: Bool = false)
    /// The app is about to come to the foreground.
    case enteringForeground
    /// The user can act in the app.
    case becameActive
    /// The app went to the background.
    case enteredBackground
    case hidden
    case unhidden
    /// The app is about to end.
    case terminating
}
