/// A part of a list, and where the next part begins.
struct ListPage: Sendable {
    var rows: [[UInt8]] = []
    /// What to give as `after` or `before` next; nil when this was the end.
    var next: Int64?
}
