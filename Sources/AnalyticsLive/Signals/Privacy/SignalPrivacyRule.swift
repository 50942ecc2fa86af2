import Tributary
public import TributaryJSON

/// What must not be in signals, whoever gets them: scripts and broadcasters see only what the rules of the app have left.
///
/// In patterns, `*` is any part of a name and `?` one character; case does not count.
public struct SignalPrivacyRule: Sendable {
    /// What becomes of the value of a member.
    public enum FieldAction: Sendable {
        /// The member is gone.
        case remove
        /// Letters become `X`, digits `9`.
        case obfuscate
        /// This value stands in its place.
        case replace(JSON)
    }

    /// What becomes of a signal.
    public enum SignalAction: Sendable {
        /// There is none.
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

    /// Signals that tell of a screen of that name, and all others while the user is there.
    public static func screen(_ pattern: String, _ action: SignalAction = .drop) -> SignalPrivacyRule {
        SignalPrivacyRule(scope: .screen(KeyPatterns([pattern]), action))
    }

    /// Interactions with a component of that name.
    public static func component(_ pattern: String, _ action: SignalAction = .drop) -> SignalPrivacyRule {
        SignalPrivacyRule(scope: .component(KeyPatterns([pattern]), action))
    }
}
