/// The destination that stands for the server, by the name that the field's servers give it.
enum ServerDestination {
    static let key = "Segment.io"
}
