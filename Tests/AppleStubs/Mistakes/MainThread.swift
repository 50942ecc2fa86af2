// error: main actor-isolated
import UIKit

func name() -> String { UIDevice.current.name }
