// error: main actor-isolated
// system: watchOS
import WatchKit

func name() -> String { WKInterfaceDevice.current().name }
