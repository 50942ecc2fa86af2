// error: no such module 'WatchKit'
// system: visionOS
import WatchKit
