/// Which events follow from what a system tells of an app's life: a value, so that every order can be tried.
struct LifecycleMachine: Sendable {
    private let application: ApplicationVersion
    private var isLaunched = false
    /// Whether the app was in use or in the background since its start: only then a foreground is a return.
    private var wasActive = false

    init(application: ApplicationVersion) { self.application = application }

    /// - Parameters:
    ///   - previous: the version that ran the last time; nil when there was none.
    ///   - isKept: whether versions are remembered at all; else nobody knows what is installed or updated.
    mutating func take(
        _ step: LifecycleStep, previous: @autoclosure () -> ApplicationVersion? = nil, isKept: Bool = false
    ) -> [LifecycleEvent] {
        switch step {
        case .launched(let url, let referringApplication):
            return launch(url, referringApplication, previous: isKept ? previous() : application, isKept: isKept)
        case .enteringForeground:
            // Systems tell of it at the start of an app too, which `launched` has told of already.
            guard wasActive else { return [] }
            return [.opened(application, fromBackground: true), .foregrounded]
        case .becameActive:
            wasActive = true
            return []
        case .enteredBackground:
            wasActive = true
            return [.backgrounded]
        case .hidden: return [.hidden]
        case .unhidden: return [.unhidden]
        case .terminating: return [.terminated]
        }
    }

    private mutating func launch(
        _ url: String?, _ referringApplication: String?, previous: ApplicationVersion?, isKept: Bool
    ) -> [LifecycleEvent] {
        guard !isLaunched else { return [] }
        isLaunched = true
        let opened = LifecycleEvent.opened(
            application, fromBackground: false, url: url, referringApplication: referringApplication)
        guard let previous else { return [.installed(application), opened] }
        return previous == application ? [opened] : [.updated(application, from: previous), opened]
    }
}
