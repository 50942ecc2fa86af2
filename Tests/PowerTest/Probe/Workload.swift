/// What a recorded client does.
enum Workload: String {
    /// Two threads track, and one of them says who the user is, and that it is somebody else.
    case events
    /// Events wait while no server answers, and are given up.
    case purge
    /// A few events, one user and a delivery: what single calls fail in, one after the other.
    case few
    /// Events wait for a decision, which comes; then for one that is a refusal.
    case consent
    /// Events stay behind because no server answers: another client takes them up.
    case left
    /// The disk is full for a while.
    case full
    /// Nothing waits for the medium, which gets everything a few times a second.
    case interval

    /// Batches that are answered with 503 before the first one is taken.
    var refusals: Int {
        switch self {
        case .purge, .left, .interval: .max
        case .events, .few, .consent, .full: 1
        }
    }
}
