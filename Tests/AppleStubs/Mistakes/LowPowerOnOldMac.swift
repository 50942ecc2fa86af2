// error: is only available in macOS 12.0
// system: macOS
import Foundation

let isLow = ProcessInfo.processInfo.isLowPowerModeEnabled
