// error: 'ContinuousClock' is only available in iOS 16.0 or newer
// system: iOS
let clock = ContinuousClock()
