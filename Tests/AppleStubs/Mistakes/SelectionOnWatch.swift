// error: is unavailable in watchOS
// system: watchOS
import SwiftUI

@available(watchOS 11.0, *)
@MainActor func field(_ text: Binding<String>, _ selection: Binding<TextSelection?>) -> some View {
    TextField("Name", text: text, selection: selection)
}
