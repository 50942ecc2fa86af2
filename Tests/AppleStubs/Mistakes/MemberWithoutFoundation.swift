// error: 'trimmingCharacters(in:)'
// system: iOS
let text = " a ".trimmingCharacters(in: .whitespaces)
