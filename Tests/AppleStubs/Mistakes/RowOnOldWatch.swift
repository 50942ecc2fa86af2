// error: is only available in watchOS 10.0
// system: watchOS
import SwiftUI

@MainActor func list(_ row: Binding<Int?>) -> some View { List(selection: row) { Text("Row") } }
