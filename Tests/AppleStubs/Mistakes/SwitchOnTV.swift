// error: 'UISwitch' is unavailable in tvOS
// system: tvOS
import UIKit

@MainActor func isSwitch(_ view: UIView) -> Bool { view is UISwitch }
