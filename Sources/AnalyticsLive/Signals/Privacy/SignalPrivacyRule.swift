import Tributary
public import TributaryJSON

/// A rule for values that must not be in signals. Scripts and broadcasters get only what the app's rules leave.
///
/// ```swift
/// var configuration = SignalsConfiguration(writeKey: "KEY")
/// configuration.privacyRules = [.field("*password*"), .field("data.user.name", .obfuscate), .screen("Payment")]
/// ```
///
/// In patterns, `*` matches any part of a name and `?` one character. The case of letters does not matter.
public struct SignalPrivacyRule: Sendable {
    /// The treatment of the value of a member.
    public enum FieldAction: Sendable {
        /// The member is removed.
        case remove
        /// Letters become `X`, digits `9`.
        case obfuscate
        /// This value replaces it.
        case replace(JSON)
    }

    /// The treatment of a signal.
    public enum SignalAction: Sendable {
        /// The signal is dropped.
        case drop
        /// Its data become unreadable, except for the kind of the event in the app.
        case obfuscate
    }

    enum Scope: Sendable {
        case field(KeyPatterns, FieldAction)
        case screen(KeyPatterns, SignalAction)
        case component(KeyPatterns, SignalAction)
    }

    let scope: Scope

    /// A rule for members with that name at any depth of a signal's data. With dots, it is a path from the top of the
    /// data.
    public static func field(_ pattern: String, _ action: FieldAction = .remove) -> SignalPrivacyRule {
        SignalPrivacyRule(scope: .field(KeyPatterns([pattern]), action))
    }

    /// A rule for signals about a screen with that name, and for all other signals while the user is on that screen.
    public static func screen(_ pattern: String, _ action: SignalAction = .drop) -> SignalPrivacyRule {
        SignalPrivacyRule(scope: .screen(KeyPatterns([pattern]), action))
    }

    /// A rule for interactions with a component of that name.
    public static func component(_ pattern: String, _ action: SignalAction = .drop) -> SignalPrivacyRule {
        SignalPrivacyRule(scope: .component(KeyPatterns([pattern]), action))
    }
}
