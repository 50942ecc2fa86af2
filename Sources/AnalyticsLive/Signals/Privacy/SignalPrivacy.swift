import Tributary
import TributaryJSON

/// Applies the app's rules to signals, in their order. Only used on the executor.
struct SignalPrivacy {
    private let rules: [SignalPrivacyRule]
    /// The current screen according to navigation signals.
    private var currentScreen: String?

    init(rules: [SignalPrivacyRule]) { self.rules = rules }

    /// The signal in the form for receivers; nil when no receiver may get it.
    /// - Throws: the error of an app's own type when it refuses data that a rule has changed.
    mutating func apply(to record: SignalRecord) throws -> SignalRecord? {
        guard !rules.isEmpty else { return record }
        let screens = follow(record)
        guard let data = record.json["data"] else { return record }
        var changed = data
        for rule in rules {
            switch rule.scope {
            case .field(let patterns, let action): changed = Self.cleaned(changed, patterns, action, [])
            case .screen(let patterns, let action):
                guard screens.contains(where: { Self.fits($0, patterns) }) else { continue }
                guard case .obfuscate = action else { return nil }
                changed = Self.withoutScreens(SignalRecord.obfuscated(changed, of: record.signal.type))
            case .component(let patterns, let action):
                guard let component = data["component"]?.stringValue, Self.fits(component, patterns) else { continue }
                guard case .obfuscate = action else { return nil }
                changed = SignalRecord.obfuscated(changed, of: record.signal.type)
            }
        }
        return changed == data ? record : try record.with(data: changed)
    }

    /// The screens that a signal is about.
    private mutating func follow(_ record: SignalRecord) -> [String] {
        var screens = [currentScreen].compactMap { $0 }
        guard record.signal.type == .navigation, let data = record.json["data"],
            let screen = data["screen"]?.stringValue
        else { return screens }
        screens += [screen, data["previousScreen"]?.stringValue].compactMap { $0 }
        if data["action"] != "leaving" {
            currentScreen = screen
        } else if currentScreen == screen {
            currentScreen = nil
        }
        return screens
    }

    private static func fits(_ name: String, _ patterns: KeyPatterns) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return patterns.match(parts.last ?? "", in: parts.dropLast())
    }

    private static func withoutScreens(_ data: JSON) -> JSON {
        var data = data
        for key in ["screen", "currentScreen", "previousScreen"] {
            if let name = data[key]?.stringValue { data[key] = .string(Obfuscation.text(name)) }
        }
        return data
    }

    private static func cleaned(
        _ value: JSON, _ patterns: KeyPatterns, _ action: SignalPrivacyRule.FieldAction, _ path: [String]
    ) -> JSON {
        switch value {
        case .object(let object):
            var result = JSONObject()
            for (key, member) in object {
                guard patterns.match(key, in: path) else {
                    result[key] = cleaned(member, patterns, action, path + [key])
                    continue
                }
                switch action {
                case .remove: break
                case .obfuscate: result[key] = Obfuscation.obfuscated(member)
                case .replace(let replacement): result[key] = replacement
                }
            }
            return .object(result)
        case .array(let elements): return .array(elements.map { cleaned($0, patterns, action, path) })
        default: return value
        }
    }
}
