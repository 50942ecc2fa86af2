/// Why something of another library cannot be taken over.
struct MigrationError: Error, CustomStringConvertible {
    let description: String
    /// Whether it may work at another time, as with files of a locked device.
    let isPassing: Bool

    init(_ description: String, isPassing: Bool = false) {
        self.description = description
        self.isPassing = isPassing
    }
}
