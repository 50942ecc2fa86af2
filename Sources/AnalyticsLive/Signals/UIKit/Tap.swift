#if canImport(UIKit) && !os(watchOS)
import TributaryJSON
import UIKit

/// A tap on a component, as a signal describes it.
@MainActor
struct Tap {
    let data: InteractionData

    /// Looks for a component from the touched view upwards: a label within a button is the button.
    /// - Returns: nil for a view that is not a component, and for a text field, which has signals of its own.
    init?(_ view: UIView) {
        var candidate: UIView? = view
        for _ in 0..<32 {
            guard let view = candidate else { break }
            if view is UITextField || view is UITextView { return nil }
            if let data = Self.data(of: view) {
                self.data = data
                return
            }
            candidate = view.superview
        }
        return nil
    }

    private static func data(of view: UIView) -> InteractionData? {
        switch view {
        case let button as UIButton: data(button, "UIButton", button.accessibilityLabel ?? button.currentTitle, nil)
        case let control as UISegmentedControl: segment(control)
        case let cell as UITableViewCell: row(cell)
        case let cell as UICollectionViewCell: item(cell)
        case let control as UIControl: plain(control)
        default: nil
        }
    }

    private static func plain(_ control: UIControl) -> InteractionData {
        #if !os(tvOS)
        if let toggle = control as? UISwitch {
            // The touch ends before the switch has changed.
            return data(toggle, "UISwitch", toggle.accessibilityLabel, ["value": .bool(toggle.isOn)])
        }
        if let slider = control as? UISlider {
            return data(slider, "UISlider", slider.accessibilityLabel, ["value": number(Double(slider.value))])
        }
        if let stepper = control as? UIStepper {
            return data(stepper, "UIStepper", stepper.accessibilityLabel, ["value": number(stepper.value)])
        }
        #endif
        return data(control, "\(type(of: control))", control.accessibilityLabel, nil)
    }

    private static func segment(_ control: UISegmentedControl) -> InteractionData {
        let index = control.selectedSegmentIndex
        let title = index >= 0 && index < control.numberOfSegments ? control.titleForSegment(at: index) : nil
        return data(control, "UISegmentedControl", title, ["selectedIndex": .number(JSONNumber(index))])
    }

    private static func row(_ cell: UITableViewCell) -> InteractionData {
        var content: JSONObject = [
            "isSelected": .bool(cell.isSelected), "isHighlighted": .bool(cell.isHighlighted),
            "isEditing": .bool(cell.isEditing), "showingDeleteConfirmation": .bool(cell.showingDeleteConfirmation),
        ]
        if let table: UITableView = above(cell), let path = table.indexPath(for: cell) { place(path, in: &content) }
        return data(cell, "UITableViewCell", cell.accessibilityLabel ?? cell.textLabel?.text, .object(content))
    }

    private static func item(_ cell: UICollectionViewCell) -> InteractionData {
        var content: JSONObject = ["isSelected": .bool(cell.isSelected)]
        if let collection: UICollectionView = above(cell), let path = collection.indexPath(for: cell) {
            place(path, in: &content)
        }
        return data(cell, "UICollectionViewCell", cell.accessibilityLabel, .object(content))
    }

    private static func place(_ path: IndexPath, in content: inout JSONObject) {
        guard path.count == 2 else { return }
        content["section"] = .number(JSONNumber(path[0]))
        content["row"] = .number(JSONNumber(path[1]))
    }

    private static func above<View: UIView>(_ view: UIView) -> View? {
        var candidate = view.superview
        for _ in 0..<32 {
            if candidate == nil { return nil }
            if let found = candidate as? View { return found }
            candidate = candidate?.superview
        }
        return nil
    }

    private static func data(
        _ view: UIView, _ component: String, _ title: String?, _ content: JSON?
    ) -> InteractionData {
        let title = (title ?? view.accessibilityIdentifier).map { String($0.prefix(CaptureLimits.titleLetters)) }
        return InteractionData(component: component, title: title, data: content)
    }

    private static func number(_ value: Double) -> JSON { JSONNumber(value).map(JSON.number) ?? .null }
}
#endif
