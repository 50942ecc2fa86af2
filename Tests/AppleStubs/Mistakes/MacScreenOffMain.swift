// error: main actor-isolated
// system: macOS
import AppKit

func width() -> CGFloat { NSScreen.main?.frame.width ?? 0 }
