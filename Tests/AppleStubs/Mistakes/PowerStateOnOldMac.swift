// error: is only available in macOS 12.0
// system: macOS
import Foundation

let name = Notification.Name.NSProcessInfoPowerStateDidChange
