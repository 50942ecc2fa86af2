/// The reason why data of another library cannot be taken over.
struct MigrationError: Error, CustomStringConvertible {
    let description: String
    /// Whether another attempt may succeed, for instance when a locked device is unlocked.
    let isPassing: Bool

    init(_ description: String, isPassing: Bool = false) {
        self.description = description
        self.isPassing = isPassing
    }
}
