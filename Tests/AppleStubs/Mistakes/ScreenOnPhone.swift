// error: deprecated in iOS 26.0
// system: iOS newest
import UIKit

@MainActor func scale() -> CGFloat { UIScreen.main.scale }
