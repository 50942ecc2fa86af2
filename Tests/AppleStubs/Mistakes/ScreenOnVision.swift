// error: 'UIScreen' is unavailable in visionOS
// system: visionOS
import UIKit

@MainActor func width() -> CGFloat { UIScreen.main.bounds.width }
