// error: no such module 'UIKit'
// system: macOS
import UIKit
