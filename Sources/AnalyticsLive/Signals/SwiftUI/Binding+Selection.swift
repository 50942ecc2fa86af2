#if canImport(SwiftUI)
import SwiftUI
import TributaryJSON

extension Binding {
    /// The selection of a list. Each change makes a signal.
    func observed<Element: Hashable>(_ name: ControlName) -> Binding<Value> where Value == Set<Element> {
        observed { old, new in
            guard old != new else { return }
            let action = new.count < old.count ? "item_deselected" : "item_selected"
            ControlSignals.emit("List", name, .selection(action, Array(new)))
        }
    }

    /// The selection of a list with at most one selected row.
    func observed<Element: Hashable>(_ name: ControlName) -> Binding<Value> where Value == Element? {
        observed { old, new in
            guard old != new else { return }
            ControlSignals.emit(
                "List", name, .selection(new == nil ? "item_deselected" : "item_selected", [new].compactMap { $0 }))
        }
    }

    /// The selection of a list with exactly one selected row.
    func observedExactly(_ name: ControlName) -> Binding<Value> where Value: Hashable {
        observed { old, new in
            if old != new { ControlSignals.emit("List", name, .selection("item_selected", [new])) }
        }
    }
}

extension JSON {
    /// The selection in a signal; only the first items of many.
    fileprivate static func selection(_ action: String, _ items: [Any]) -> JSON {
        let shown = items.prefix(CaptureLimits.selectedItems).map { JSON(value: $0) }
        return [
            "action": .string(action), "selectedCount": .number(JSONNumber(items.count)),
            "selectedItems": .array(shown),
        ]
    }
}
#endif
