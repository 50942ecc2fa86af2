/// The part of the workspace that a token or a login sees.
package struct Sight: Sendable, Equatable {
    /// Whether ids, traits and other personal data are shown.
    package enum PersonalData: String, Sendable { case shown, hidden }

    /// The numbers of the sources that it sees; nil for all sources, also those that are made later. A source that was removed
    /// stays in the set, and nothing has its number again.
    package let sources: Set<Int64>?
    package let personalData: PersonalData

    package init(sources: Set<Int64>? = nil, personalData: PersonalData = .shown) {
        (self.sources, self.personalData) = (sources, personalData)
    }

    package static let all = Sight()

    package var isAll: Bool { self == .all }

    /// Whether the source with that number is seen.
    package func sees(_ source: Int64) -> Bool { sources?.contains(source) ?? true }
}
