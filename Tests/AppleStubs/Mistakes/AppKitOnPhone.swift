// error: no such module 'AppKit'
// system: iOS
import AppKit
