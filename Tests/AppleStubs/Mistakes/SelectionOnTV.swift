// error: is unavailable in tvOS
// system: tvOS
import SwiftUI

@available(tvOS 18.0, *)
@MainActor func field(_ text: Binding<String>, _ selection: Binding<TextSelection?>) -> some View {
    TextField("Name", text: text, selection: selection)
}
