package import TributaryJSON

/// A question of the page that has a name: a place with the query of its address.
package struct SavedView: Sendable, Equatable {
    /// The places with a question in their address.
    ///
    /// People are not among them, because their address names a person, and an erasure does not look into saved questions.
    package enum Place: String, Sendable, CaseIterable {
        case events, explore, catalog

        var path: String { self == .events ? "/" : "/\(rawValue)" }
    }

    package var name: String
    package var place: Place
    package var query: ViewQuery
    /// The place on the board, from 1; nil when it is not on it.
    package var board: Int?
    /// The name of the token that saved it first; nil for the admin token.
    package let owner: String?
    /// Milliseconds since 1970.
    package let createdAt: Int64
    package var updatedAt: Int64

    /// The path and the query of the address that shows it.
    package var link: String { place.path + (query.text.isEmpty ? "" : "?\(query.text)") }

    /// As the administration shows it.
    package var shown: JSON {
        [
            "name": .string(name), "place": .string(place.rawValue), "query": .string(query.text),
            "link": .string(link),
            "board": .number(board), "owner": .string(owner), "createdAt": .time(createdAt),
            "updatedAt": .time(updatedAt),
        ]
    }
}

/// The changes of a request to a saved question. A member that is missing changes nothing.
package struct ViewChange: Sendable {
    package let name: String
    let place: SavedView.Place?
    let query: ViewQuery?
    /// Nil changes nothing; a place of nil takes it off the board.
    let board: Int??

    private static let members = ["name", "place", "query", "board"]

    /// - Parameter name: the name in the path; the body may have another one.
    /// - Throws: `Refusal` with the first problem.
    package init(_ name: String, _ json: JSON) throws(Refusal) {
        guard let object = json.objectValue else {
            throw .invalid("a saved question is an object with place and query")
        }
        if let unknown = object.first(where: { !Self.members.contains($0.key) }) {
            throw .invalid("a saved question has no \(unknown.key); it has \(Self.members.joined(separator: ", "))")
        }
        self.name = try object.member("name", "name is a text") { $0.stringValue } ?? name
        try PlainName.check(self.name, of: "a saved question", atMost: Limits.viewNameLength)
        // Such a name cannot be a step of an address.
        guard !self.name.allSatisfy({ $0 == "." }) else {
            throw .invalid("the name of a saved question has more than points")
        }
        let places = SavedView.Place.allCases.map(\.rawValue).joined(separator: ", ")
        place = try object.member("place", "place is one of \(places)") { $0.stringValue.flatMap(SavedView.Place.init) }
        let text = try object.member("query", "query is a text") { $0.stringValue }
        query = if let text { try ViewQuery(text) } else { nil }
        board = try object.member("board", "board is a number from 1, or null") { json -> Int?? in
            if json.isNull { return .some(nil) }
            guard let number = json.intValue, number > 0 else { return nil }
            return .some(number)
        }
    }

    /// The question after the change.
    /// - Parameter old: the question before; nil for a new one.
    func applied(to old: SavedView?, by owner: String?, now: Int64) throws(Refusal) -> SavedView {
        guard let place = place ?? old?.place, let query = query ?? old?.query else {
            throw .invalid("a new question needs a place and a query")
        }
        let view = SavedView(
            name: name, place: place, query: query, board: board ?? old?.board, owner: old == nil ? owner : old?.owner,
            createdAt: old?.createdAt ?? now, updatedAt: now)
        guard view.board == nil || place == .explore else {
            throw .invalid("only questions of explore can be on the board")
        }
        return view
    }
}
