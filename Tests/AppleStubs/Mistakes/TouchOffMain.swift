// error: main actor-isolated
// system: iOS
import UIKit

func view(of touch: UITouch) -> UIView? { touch.view }
