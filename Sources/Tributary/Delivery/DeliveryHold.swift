/// The conditions of the app, and a switch of the app's inspector that holds delivery. Nothing stores the switch, so a restart of
/// the app delivers again.
final class DeliveryHold: UploadConditions {
    private static let held = UploadObstacle(.held, "the inspector holds delivery")

    private let conditions: (any UploadConditions)?
    private let isHeld = LockBox(false)
    private let observers = Observers<Void>()

    /// - Parameter conditions: of the app or of the system; they count while the switch is off.
    init(_ conditions: (any UploadConditions)?) { self.conditions = conditions }

    var obstacle: UploadObstacle? { isOn ? Self.held : conditions?.obstacle }

    func observe(_ changed: @escaping @Sendable () -> Void) {
        _ = observers.add(changed)
        conditions?.observe(changed)
    }

    var isOn: Bool {
        get { isHeld.current }
        set { if isHeld.exchange(newValue) != newValue { observers.tell(()) } }
    }
}
