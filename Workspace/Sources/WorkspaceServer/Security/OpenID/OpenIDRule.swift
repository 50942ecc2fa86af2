import Foundation
import WorkspaceCore

/// Who gets which role: `analysts=look`, `anna@example.com=administer`, `partners=look source:SHOP without-personal-data`.
///
/// A value with an @ is the mail address of a person, which the provider has checked. Every other value is one of the groups
/// that the provider names.
struct OpenIDRule: Sendable, Equatable {
    let value: String
    let role: Role
    /// The write keys of the sources that are seen; nil for all.
    let sources: [String]?
    let personalData: Sight.PersonalData

    init(_ text: String) throws(WorkspaceError) {
        // A group may have spaces and signs in its name.
        let sign = text.lastIndex(of: "=")
        let words = sign.map { text[text.index(after: $0)...].split(separator: " ") } ?? []
        guard let sign, let role = words.first.flatMap({ Role(rawValue: String($0)) }) else {
            throw OpenIDConfiguration.problem(
                "\"\(text)\" says not who gets which role, as in analysts=look or anna@example.com=administer")
        }
        value = Self.value(text[..<sign].trimmingCharacters(in: .whitespaces))
        self.role = role
        var (sources, personalData) = ([String](), Sight.PersonalData.shown)
        for word in words.dropFirst() {
            if word == "without-personal-data" {
                personalData = .hidden
            } else if word.hasPrefix("source:"), WriteKey.isValid(String(word.dropFirst(7))) {
                sources.append(String(word.dropFirst(7)))
            } else {
                throw OpenIDConfiguration.problem(
                    "\"\(word)\" is no limit of a role; they are source:WRITE-KEY and without-personal-data")
            }
        }
        guard !value.isEmpty, personalData == .shown || role == .look else {
            throw OpenIDConfiguration.problem("\"\(text)\": without-personal-data is for the role look")
        }
        (self.sources, self.personalData) = (sources.isEmpty ? nil : sources, personalData)
    }

    /// A mail address counts without its case.
    static func value(_ text: String) -> String { text.contains("@") ? text.lowercased() : text }
}
