// error: main actor-isolated
// system: watchOS
import WatchKit

func name() -> Notification.Name { WKApplication.didBecomeActiveNotification }
