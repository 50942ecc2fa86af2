// error: main actor-isolated
// system: iOS
import UIKit

func name() -> String { UIDevice.current.name }
