// error: 'UISlider' is unavailable in tvOS
// system: tvOS
import UIKit

@MainActor func isSlider(_ view: UIView) -> Bool { view is UISlider }
