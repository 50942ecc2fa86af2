import TributaryJSON

/// Shortens what scripts nest deeper than an event may be nested, so that one such value does not cost its event.
///
/// The client has the rule, leaves such a value out of each event and reports it. So one level too many stays here: with it
/// the client finds the value.
enum ScriptNesting {
    /// Levels that stay.
    static let depth = JSONLimits.eventDepth + 1

    /// The text without values that are nested deeper.
    static func cut(_ text: some Sequence<UInt8>) -> [UInt8] { NestingCut.cut(Array(text), below: depth) }

    /// The value of a text that a script wrote.
    static func json(_ text: String) throws(JSONError) -> JSON {
        do {
            return try JSON.parse(text)
        } catch  where error.reason == .tooDeep {
            return try JSON.parse(cut(text.utf8))
        }
    }
}
