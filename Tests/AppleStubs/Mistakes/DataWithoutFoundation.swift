// error: cannot find 'Data' in scope
// system: iOS
let data = Data()
