/// A function of a script that Swift can call. Valid until its engine is closed.
public struct ScriptFunction {
    #if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)
    let context: EngineContext
    #endif
    let index: Int
}
