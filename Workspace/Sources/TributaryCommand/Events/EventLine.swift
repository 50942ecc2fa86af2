import TributaryJSON

/// An event on a line, for people.
struct EventLine {
    /// The most characters of properties or traits on a line.
    private static let shownCharacters = 160

    let style: OutputStyle

    /// - Parameter event: as the server lists it.
    func text(_ event: JSON) -> String {
        let type = event["type"]?.stringValue ?? "?"
        let name = event["name"]?.stringValue ?? ""
        let user = event["userId"]?.stringValue ?? event["anonymousId"]?.stringValue ?? ""
        let body = event["event"]
        let details = (body?["properties"] ?? body?["traits"])?.description ?? ""
        let short =
            details.count > Self.shownCharacters ? details.prefix(Self.shownCharacters) + "…" : Substring(details)
        let parts = [
            style.faint((event["receivedAt"]?.stringValue ?? "").printable), style.type(type, padded(type.printable)),
            style.bold(name.printable), user.printable, style.faint(String(short).printable),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private func padded(_ type: String) -> String {
        type + String(repeating: " ", count: max(0, "identify".count - type.count))
    }
}
