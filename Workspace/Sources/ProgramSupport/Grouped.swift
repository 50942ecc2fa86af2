/// Numbers for people, with a comma between thousands, whatever the system's language is.
package enum Grouped {
    package static func text(_ number: Int) -> String {
        var groups: [Substring] = []
        var rest = Substring(String(number.magnitude))
        while rest.count > 3 {
            groups.insert(rest.suffix(3), at: 0)
            rest = rest.dropLast(3)
        }
        groups.insert(rest, at: 0)
        return (number < 0 ? "-" : "") + groups.joined(separator: ",")
    }
}
