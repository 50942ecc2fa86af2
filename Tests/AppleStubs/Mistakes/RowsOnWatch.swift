// error: is unavailable in watchOS
// system: watchOS
import SwiftUI

@MainActor func list(_ rows: Binding<Set<Int>>) -> some View { List(selection: rows) { Text("Row") } }
