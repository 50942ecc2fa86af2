/// Which events follow from the lifecycle steps of a system: a value, so that every order can be tried.
struct LifecycleMachine: Sendable {
    /// The state of the app, as the user has seen it since its start.
    private enum Presence: Sendable {
        /// Nothing yet: with this the app will be opened.
        case unseen(url: String?, referringApplication: String?)
        /// Its opening was told.
        case opened
        /// It was in use: only then a foreground is a return.
        case used
    }

    private let application: ApplicationVersion
    private var isLaunched = false
    private var presence = Presence.opened

    init(application: ApplicationVersion) { self.application = application }

    /// - Parameters:
    ///   - previous: the version that ran the last time; nil when there was none.
    ///   - isKept: whether versions are stored; else installations and updates are not known.
    mutating func take(
        _ step: LifecycleStep, previous: @autoclosure () -> ApplicationVersion? = nil, isKept: Bool = false
    ) -> [LifecycleEvent] {
        switch step {
        case .launched(let url, let referringApplication, let isInBackground):
            guard !isLaunched else { return [] }
            isLaunched = true
            let changes = installation(since: isKept ? previous() : application)
            presence = .unseen(url: url, referringApplication: referringApplication)
            return isInBackground ? changes : changes + open()
        case .enteringForeground:
            switch presence {
            case .unseen: return open()
            // Systems report it at the start of an app too, which `launched` has reported already.
            case .opened: return []
            case .used: return [.opened(application, fromBackground: true), .foregrounded]
            }
        case .becameActive:
            defer { presence = .used }
            return open()
        case .enteredBackground:
            if case .unseen = presence { return [] }
            presence = .used
            return [.backgrounded]
        case .hidden: return [.hidden]
        case .unhidden: return [.unhidden]
        case .terminating: return [.terminated]
        }
    }

    /// The user sees the app for the first time since its start; nothing when that was told.
    private mutating func open() -> [LifecycleEvent] {
        guard case .unseen(let url, let referringApplication) = presence else { return [] }
        presence = .opened
        return [.opened(application, fromBackground: false, url: url, referringApplication: referringApplication)]
    }

    private func installation(since previous: ApplicationVersion?) -> [LifecycleEvent] {
        guard let previous else { return [.installed(application)] }
        return previous == application ? [] : [.updated(application, from: previous)]
    }
}
