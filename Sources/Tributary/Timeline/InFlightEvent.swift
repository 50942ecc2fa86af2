/// An event that destinations have, and the work that is left when all of them have finished.
///
/// Only used on the client's executor.
final class InFlightEvent {
    /// Records what happens to the event; nil unless traces are asked for.
    var recorder: StageRecorder?
    /// Makes the ids of events that plugins track because of this one.
    var derivedIds: DerivedIds?
    /// The bundle versions that process this event.
    let bundleVersions: [any BundleVersion]
    /// Whether the bundle versions may have ended, because no destination has the event any more.
    private(set) var isClosed = false
    /// How many destinations have the event; one more until all destinations have got it.
    private var holders = 1
    private var completion: (() -> Void)?

    init(_ bundleVersions: [any BundleVersion] = []) {
        self.bundleVersions = bundleVersions
        for bundleVersion in bundleVersions { bundleVersion.hold() }
    }

    var isOver: Bool { holders == 0 }

    func hold() { holders += 1 }

    func release() {
        holders -= 1
        guard isOver, let completion else { return }
        self.completion = nil
        completion()
        isClosed = true
        for bundleVersion in bundleVersions { bundleVersion.release() }
    }

    /// Sets what is done when all destinations have finished. To be called before the creator's `release`.
    func whenOver(_ completion: @escaping () -> Void) { self.completion = completion }
}
