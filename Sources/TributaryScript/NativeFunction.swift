#if canImport(CTributaryJavaScriptCore)
import CTributaryJavaScriptCore
#elseif canImport(JavaScriptCore)
import JavaScriptCore
#endif
#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)

/// A Swift closure that scripts can call. The context that made it keeps it alive while scripts can run.
final class NativeFunction {
    typealias Body = ([ScriptValue]) throws -> ScriptValue

    private let body: Body

    init(_ body: @escaping Body) { self.body = body }

    /// The function that JavaScriptCore calls. An error of the closure becomes an exception of the script.
    static let call: JSObjectCallAsFunctionCallback = { context, function, _, count, arguments, exception in
        guard let context, let function, let pointer = JSObjectGetPrivate(function) else { return nil }
        let native = Unmanaged<NativeFunction>.fromOpaque(pointer).takeUnretainedValue()
        do {
            var values: [ScriptValue] = []
            for index in 0..<count { values.append(try ScriptConversion.value(arguments?[index], in: context)) }
            return try ScriptConversion.raw(try native.body(values), in: context)
        } catch {
            exception?.pointee = makeError("\(error)", in: context)
            return JSValueMakeUndefined(context)
        }
    }

    private static func makeError(_ message: String, in context: JSContextRef) -> JSValueRef? {
        var text = EngineString.with(message) { JSValueMakeString(context, $0) }
        return JSObjectMakeError(context, 1, &text, nil)
    }
}
#endif
