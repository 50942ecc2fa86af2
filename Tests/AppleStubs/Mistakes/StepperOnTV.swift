// error: 'UIStepper' is unavailable in tvOS
// system: tvOS
import UIKit

@MainActor func isStepper(_ view: UIView) -> Bool { view is UIStepper }
