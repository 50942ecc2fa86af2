// error: 'WindowGroup' is only available in iOS 14.0 or newer
// system: iOS
import SwiftUI

@MainActor func window() { _ = WindowGroup { Text("A") } }
