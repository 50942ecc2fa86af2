// error: cannot find 'UIDevice' in scope
// system: iOS
@MainActor func name() -> String { UIDevice.current.name }
