import Tributary
public import TributaryJSON

/// A rule for values that must not be in signals. Scripts and broadcasters get only what the app's rules leave.
///
/// ```swift
/// configuration.privacyRules = [.field("*password*"), .field("data.user.name", .obfuscate), .screen("Payment")]
/// ```
///
/// In patterns, `*` is any part of a name and `?` one character; case does not count.
public struct SignalPrivacyRule: Sendable {
    /// What happens to the value of a member.
    public enum FieldAction: Sendable {
        /// The member is removed.
        case remove
        /// Letters become `X`, digits `9`.
        case obfuscate
        /// This value replaces it.
        case replace(JSON)
    }

    /// What happens to a signal.
    public enum SignalAction: Sendable {
        /// The signal is dropped.
        case drop
        /// Its data become unreadable, apart from what kind of thing happened.
        case obfuscate
    }

    enum Scope: Sendable {
        case field(KeyPatterns, FieldAction)
        case screen(KeyPatterns, SignalAction)
        case component(KeyPatterns, SignalAction)
    }

    let scope: Scope

    /// Members of that name at any depth of a signal's data; with dots, a path from the top of the data.
    public static func field(_ pattern: String, _ action: FieldAction = .remove) -> SignalPrivacyRule {
        SignalPrivacyRule(scope: .field(KeyPatterns([pattern]), action))
    }

    /// Signals about a screen of that name, and all other signals while the user is on that screen.
    public static func screen(_ pattern: String, _ action: SignalAction = .drop) -> SignalPrivacyRule {
        SignalPrivacyRule(scope: .screen(KeyPatterns([pattern]), action))
    }

    /// Interactions with a component of that name.
    public static func component(_ pattern: String, _ action: SignalAction = .drop) -> SignalPrivacyRule {
        SignalPrivacyRule(scope: .component(KeyPatterns([pattern]), action))
    }
}
