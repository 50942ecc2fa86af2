// error: 'pageSheet' is unavailable in tvOS
// system: tvOS
import UIKit

let style = UIModalPresentationStyle.pageSheet
