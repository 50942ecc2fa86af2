// error: main actor-isolated
// system: macOS
import AppKit

func name() -> Notification.Name { NSApplication.didBecomeActiveNotification }
