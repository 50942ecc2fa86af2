// error: 'popover' is unavailable in tvOS
// system: tvOS
import UIKit

let style = UIModalPresentationStyle.popover
