// error: is only available in watchOS 9.0
// system: watchOS
import SwiftUI

@MainActor func stack() -> some View { NavigationStack { Text("Shop") } }
