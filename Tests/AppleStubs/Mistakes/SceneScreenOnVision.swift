// error: is unavailable in visionOS
// system: visionOS
import UIKit

@MainActor func width(_ scene: UIWindowScene) -> CGFloat { scene.screen.bounds.width }
