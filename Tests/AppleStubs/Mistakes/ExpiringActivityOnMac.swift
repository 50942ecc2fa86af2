// error: is unavailable in macOS
// system: macOS
import Foundation

func run() { ProcessInfo.processInfo.performExpiringActivity(withReason: "") { _ in } }
