import ProgramSupport

extension Int {
    /// The number with a comma between thousands, whatever the system's language is.
    var grouped: String { Grouped.text(self) }
}
