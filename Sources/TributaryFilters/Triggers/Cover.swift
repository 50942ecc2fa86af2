/// The triggers that cover a condition: if none of them holds, the condition is false and no part of it is unknown.
indirect enum Cover: Sendable {
    /// No triggers: the condition has to be evaluated for each event.
    case nothing
    case trigger(Trigger)
    /// All of these together. Without any, the condition is never true.
    case all([Cover])
    /// Each of these alone.
    case each([Cover])

    /// Covers what any of these conditions covers.
    static func all(of covers: [Cover]) -> Cover {
        for case .nothing in covers { return .nothing }
        return covers.count == 1 ? covers[0] : .all(covers)
    }

    /// Covers what all of these conditions have in common, so each cover is enough.
    static func each(of covers: [Cover]) -> Cover {
        let useful = covers.filter { if case .nothing = $0 { false } else { true } }
        return useful.isEmpty ? .nothing : useful.count == 1 ? useful[0] : .each(useful)
    }

    /// Calls `body` with each trigger that could be chosen.
    func forEachTrigger(_ body: (Trigger) -> Void) {
        switch self {
        case .nothing: break
        case .trigger(let trigger): body(trigger)
        case .all(let covers), .each(let covers): for cover in covers { cover.forEachTrigger(body) }
        }
    }
}
