/// A step in the life of an app, in terms that all systems share.
package enum LifecycleStep: Sendable, Equatable {
    /// The app was started, with the starting app and the address when they are known. The user does not see an app
    /// that the system starts in the background, for a notification or a download.
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
