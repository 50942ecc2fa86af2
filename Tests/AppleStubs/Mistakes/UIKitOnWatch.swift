// error: no such module 'UIKit'
// system: watchOS
import UIKit
