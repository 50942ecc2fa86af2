/// An event that destinations have, and the work that is left when all of them have finished.
///
/// Only used on the client's executor.
final class InFlightEvent {
    /// Notes what happens to the event; nil unless somebody wants to know.
    var recorder: StageRecorder?
    /// How many events were made out of this one so far.
    var derivedIds: DerivedIds?
    /// The plugin versions that process this event.
    let bundleVersions: [any BundleVersion]
    /// Whether these may have ended, because no destination has the event any more.
    private(set) var isClosed = false
    /// How many destinations have the event; plus one, until all destinations have got it.
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

    /// To be called before the maker lets go.
    func whenOver(_ completion: @escaping () -> Void) { self.completion = completion }
}
