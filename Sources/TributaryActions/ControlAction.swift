/// The action of a control, on the main actor: the type of the action of SwiftUI's button.
///
/// In Swift 6 mode, `@MainActor () -> Void` is also `@Sendable`, and then an app gets a warning for each action that it keeps in a
/// property of type `() -> Void`. SwiftUI is built in Swift 5 mode, in which the type asks for no more than it says. This target is
/// built so, too, and has nothing else.
public typealias ControlAction = @MainActor () -> Void
