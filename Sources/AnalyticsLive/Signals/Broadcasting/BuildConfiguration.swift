/// How this library was built; package managers build it like the app.
enum BuildConfiguration {
    #if DEBUG
    static let isDebug = true
    #else
    static let isDebug = false
    #endif
}
