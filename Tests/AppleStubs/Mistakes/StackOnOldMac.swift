// error: is only available in macOS 13.0
// system: macOS
import SwiftUI

@MainActor func stack() -> some View { NavigationStack { Text("Shop") } }
