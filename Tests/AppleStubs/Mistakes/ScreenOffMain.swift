// error: main actor-isolated
// system: iOS
import UIKit

func scale() -> CGFloat { UIScreen.main.scale }
