// error: deprecated in macOS 13.0
// system: macOS newest
import SwiftUI

@MainActor func link(_ tag: Binding<Int?>) -> some View {
    NavigationLink(tag: 1, selection: tag, destination: { Text("Shop") }, label: { Text("Go") })
}
