// error: cannot convert value of type 'Int' to specified type 'String'
// system: iOS
#if os(iOS)
let text: String = 1
#endif
