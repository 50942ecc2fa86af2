#if canImport(SwiftUI)

/// What a control is called in its signals: as it is annotated, else what its label says.
///
/// An object, because a control's closures are made with it, and only its body is told of the annotation.
@MainActor
final class ControlName {
    private let label: String?
    /// Set whenever the control is drawn.
    var annotation: String?

    init(_ label: String? = nil) { self.label = label }

    var text: String? { annotation ?? label }
}
#endif
