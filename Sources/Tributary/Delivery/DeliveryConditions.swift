/// The conditions of the app, and a switch of the app's inspector that holds delivery. Nothing stores the switch, so a restart of
/// the app delivers again.
final class DeliveryConditions: Sendable {
    private static let held = UploadObstacle(.held, "the inspector holds delivery")

    private let conditions: (any UploadConditions)?
    private let hold = LockBox(false)
    private let observers = Observers<Void>()

    /// - Parameter conditions: of the app or of the system; they count while delivery is not held.
    init(_ conditions: (any UploadConditions)?) {
        self.conditions = conditions
        // Once: conditions cannot end an observation, and event queues come and go.
        conditions?.observe { [observers] in observers.tell(()) }
    }

    /// The obstacle to sending; nil when there is none.
    var obstacle: UploadObstacle? { isHeld ? Self.held : conditions?.obstacle }

    /// Calls the function, on any thread, each time that `obstacle` may have changed, until the observation is cancelled.
    func observe(_ changed: @escaping @Sendable () -> Void) -> Observation {
        let id = observers.add(changed)
        return Observation { [observers] in observers.remove(id) }
    }

    /// Whether the inspector holds delivery.
    var isHeld: Bool {
        get { hold.current }
        set { if hold.exchange(newValue) != newValue { observers.tell(()) } }
    }
}
