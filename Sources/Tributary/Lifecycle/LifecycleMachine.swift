/// Decides which events follow from the lifecycle steps of a system. It is a value, so tests can try every order of
/// steps.
struct LifecycleMachine: Sendable {
    /// How much the user has seen of the app since its start.
    private enum Presence: Sendable {
        /// Nothing yet. These values belong to the opening that will follow.
        case unseen(url: String?, referringApplication: String?)
        /// The opening of the app was reported.
        case opened
        /// The app was in use. Only after that, coming to the foreground is a return.
        case used
    }

    private let application: ApplicationVersion
    private var isLaunched = false
    private var presence = Presence.opened

    init(application: ApplicationVersion) { self.application = application }

    /// - Parameters:
    ///   - previous: the version of the last launch; nil when there was none.
    ///   - isKept: whether versions are stored. Otherwise installations and updates cannot be recognised.
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
            // Systems also report this at the start of an app, which `launched` has reported already.
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

    /// Reports that the user sees the app for the first time since its start. Returns nothing when that was reported
    /// already.
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
