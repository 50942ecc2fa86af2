/// The name of the destination that represents the server, as the field's servers use it.
enum ServerDestination {
    static let key = "Segment.io"
}
