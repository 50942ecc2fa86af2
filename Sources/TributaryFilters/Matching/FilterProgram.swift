/// Matchers in compiled form: any number of them share the places in the event that they look at.
struct FilterProgram: Sendable {
    /// A place in an event, as a key below another place; the first place is the event itself.
    struct Place: Sendable, Hashable {
        let parent: Int32
        let key: PathKey
    }

    var nodes: [FilterNode] = []
    var lists: [Int32] = []
    var literals: [FilterValue] = []
    var globs: [Glob] = []
    var places: [Place] = [Place(parent: -1, key: PathKey(""))]
    var limits = FilterLimits()
}
