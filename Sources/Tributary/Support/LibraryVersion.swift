/// The version of this library.
enum LibraryVersion {
    static let current = "0.1.0"
}
