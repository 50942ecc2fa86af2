/// An event that destinations on the device have not finished.
///
/// It keeps the event's bundle versions until all destinations have finished with the event or count as stuck. Only
/// used on the client's executor.
final class InFlightEvent: Countdown {
    let run: EventRun
    /// The ids for events that plugins track because of this one.
    var derivedIds: DerivedIds

    init(_ run: EventRun) {
        self.run = run
        derivedIds = run.derivedIds
        for bundleVersion in run.bundleVersions { bundleVersion.hold() }
    }

    override func whenOver(_ completion: @escaping () -> Void) {
        super.whenOver { [run] in
            completion()
            for bundleVersion in run.bundleVersions { bundleVersion.release() }
        }
    }
}
