extension Int {
    /// The number with a comma between thousands, whatever the system's language is.
    var grouped: String {
        var digits = String(magnitude)
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits = String(digits.dropLast(3))
        }
        groups.insert(digits[...], at: 0)
        return (self < 0 ? "-" : "") + groups.joined(separator: ",")
    }
}
