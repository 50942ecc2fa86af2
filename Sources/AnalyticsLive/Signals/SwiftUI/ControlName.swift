#if canImport(SwiftUI)

/// What a control is called in its signals: as it is annotated, else what its label says.
///
/// An object, because a control's closures are made with it, and only its body is told of the annotation. Labels are looked
/// into when a signal is made, not whenever a view is: most views are made many times and never touched.
@MainActor
final class ControlName {
    private var look: (@MainActor () -> String?)?
    private var label: String?
    /// Set whenever the control is drawn.
    var annotation: String?

    /// - Parameter label: looks for the text of the label; called once, and only when it is asked for.
    init(_ label: (@MainActor () -> String?)? = nil) { look = label }

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
