#if canImport(CJavaScriptCore)
import CJavaScriptCore
#elseif canImport(JavaScriptCore)
import JavaScriptCore
#endif
#if canImport(CJavaScriptCore) || canImport(JavaScriptCore)

/// Values and errors on their way between Swift and a context.
enum ScriptConversion {
    /// The engine's form of a value.
    static func raw(_ value: ScriptValue, in context: JSContextRef) throws(ScriptError) -> JSValueRef? {
        switch value {
        case .undefined: return JSValueMakeUndefined(context)
        case .null: return JSValueMakeNull(context)
        case .bool(let value): return JSValueMakeBoolean(context, value)
        case .number(let value): return JSValueMakeNumber(context, value)
        case .string(let text): return EngineString.with(text) { JSValueMakeString(context, $0) }
        case .json(let text):
            guard let value = EngineString.with(text, { JSValueMakeFromJSONString(context, $0) }) else {
                throw ScriptError(.badValue, "a value for the script is not JSON")
            }
            return value
        }
    }

    /// The Swift form of a value. What JSON cannot hold, such as a function, is `undefined`.
    static func value(_ value: JSValueRef?, in context: JSContextRef) throws(ScriptError) -> ScriptValue {
        guard let value else { return .undefined }
        switch JSValueGetType(context, value) {
        case kJSTypeNull: return .null
        case kJSTypeBoolean: return .bool(JSValueToBoolean(context, value))
        case kJSTypeNumber: return .number(JSValueToNumber(context, value, nil))
        case kJSTypeString: return .string(EngineString.take(JSValueToStringCopy(context, value, nil)) ?? "")
        case kJSTypeObject: return try json(value, in: context)
        default: return .undefined
        }
    }

    private static func json(_ value: JSValueRef, in context: JSContextRef) throws(ScriptError) -> ScriptValue {
        var exception: JSValueRef?
        let text = EngineString.take(JSValueCreateJSONString(context, value, 0, &exception))
        if let exception { throw error(exception, in: context) }
        return text.map(ScriptValue.json) ?? .undefined
    }

    /// What a thrown value says about itself.
    static func error(_ exception: JSValueRef, in context: JSContextRef) -> ScriptError {
        // The engine cannot print the exception with which it stops a script.
        let message = EngineString.take(JSValueToStringCopy(context, exception, nil)) ?? "an exception without a text"
        guard JSValueIsObject(context, exception), let object = JSValueToObject(context, exception, nil) else {
            return ScriptError(.exception, message)
        }
        return ScriptError(
            .exception, message, line: integer("line", of: object, in: context),
            column: integer("column", of: object, in: context), file: text("sourceURL", of: object, in: context),
            stack: text("stack", of: object, in: context))
    }

    /// A member that is a number; a script may have put anything there.
    static func number(_ name: String, of object: JSObjectRef, in context: JSContextRef) -> Double? {
        guard let value = member(name, of: object, in: context), JSValueIsNumber(context, value) else { return nil }
        return JSValueToNumber(context, value, nil)
    }

    private static func integer(_ name: String, of object: JSObjectRef, in context: JSContextRef) -> Int? {
        number(name, of: object, in: context).flatMap(Int.init(exactly:))
    }

    private static func text(_ name: String, of object: JSObjectRef, in context: JSContextRef) -> String? {
        guard let value = member(name, of: object, in: context), JSValueIsString(context, value) else { return nil }
        return EngineString.take(JSValueToStringCopy(context, value, nil))
    }

    private static func member(_ name: String, of object: JSObjectRef, in context: JSContextRef) -> JSValueRef? {
        EngineString.with(name) { JSObjectGetProperty(context, object, $0, nil) }
    }
}
#endif
