// error: deprecated in watchOS 9.2
// system: watchOS newest
import WatchKit

@MainActor func name() -> Notification.Name { WKExtension.applicationDidBecomeActiveNotification }
