#if canImport(SwiftUI)

/// The name of a control in its signals: its annotation, or the text of its label.
///
/// It is an object, because a control's closures are made with it, and only the control's body knows the annotation.
/// Labels are examined when a signal is made and not when a view is made, because most views are made many times and
/// never touched.
@MainActor
final class ControlName {
    private var look: (@MainActor () -> String?)?
    private var label: String?
    /// Set whenever the control is drawn.
    var annotation: String?

    /// - Parameter label: finds the text of the label. Called once, and only when the name is needed.
    nonisolated init(_ label: (@MainActor () -> String?)? = nil) { look = label }

    var text: String? {
        if let annotation { return annotation }
        if let look {
            label = look()
            self.look = nil
        }
        return label
    }
}
#endif
