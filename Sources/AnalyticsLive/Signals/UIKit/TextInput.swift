#if canImport(UIKit) && !os(watchOS)
import TributaryJSON
import UIKit

/// A text field, for a signal.
///
/// A signal contains the text of a field only when the app asks for it, and never the text of a field for passwords,
/// codes or cards.
@MainActor
struct TextInput {
    private let component: String
    private let title: String?
    private let value: String?

    init?(_ view: UIView) {
        let names: [String?]
        switch view {
        case let field as UITextField:
            component = "UITextField"
            names = [field.accessibilityLabel, field.placeholder, field.accessibilityIdentifier]
            value = Self.isSecret(field, names) ? nil : field.text
        case let area as UITextView:
            component = "UITextView"
            names = [area.accessibilityLabel, area.accessibilityIdentifier]
            value = Self.isSecret(area, names) ? nil : area.text
        default: return nil
        }
        title = names.compactMap { $0 }.first.map { String($0.prefix(CaptureLimits.titleLetters)) }
    }

    func data(isFocused: Bool, withText: Bool) -> InteractionData {
        var content: JSONObject = ["focused": .bool(isFocused), "secure": .bool(value == nil)]
        if withText, !isFocused, let value, !Secrets.areGiven(in: value), !Secrets.isSecret(value: value) {
            content["value"] = .string(String(value.prefix(CaptureLimits.titleLetters)))
        }
        return InteractionData(component: component, title: title, data: .object(content))
    }

    private static func isSecret(_ field: some UITextInputTraits, _ names: [String?]) -> Bool {
        if field.isSecureTextEntry == true { return true }
        let kinds: [UITextContentType] = [.password, .newPassword, .oneTimeCode, .creditCardNumber]
        if let kind = field.textContentType ?? nil, kinds.contains(kind) { return true }
        return names.contains { $0.map { Secrets.isSecret(name: $0) } ?? false }
    }
}
#endif
