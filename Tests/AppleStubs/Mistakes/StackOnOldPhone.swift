// error: is only available in iOS 16.0
// system: iOS
import SwiftUI

@MainActor func stack() -> some View { NavigationStack { Text("Shop") } }
