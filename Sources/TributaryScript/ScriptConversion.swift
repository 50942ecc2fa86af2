import Foundation

#if canImport(CTributaryJavaScriptCore)
import CTributaryJavaScriptCore
#elseif canImport(JavaScriptCore)
import JavaScriptCore
#endif
#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)

/// Converts values and errors between Swift and a context.
enum ScriptConversion {
    /// The engine's form of a value.
    static func raw(_ value: ScriptValue, in context: JSContextRef) throws(ScriptError) -> JSValueRef? {
        switch value {
        case .undefined: return JSValueMakeUndefined(context)
        case .null: return JSValueMakeNull(context)
        case .bool(let value): return JSValueMakeBoolean(context, value)
        case .number(let value): return JSValueMakeNumber(context, value)
        case .integer(let value): return try integer(value, in: context)
        case .date(let date):
            var milliseconds = JSValueMakeNumber(context, (date.timeIntervalSince1970 * 1000).rounded())
            return JSObjectMakeDate(context, 1, &milliseconds, nil)
        case .error(let error):
            var message = EngineString.with(error.message) { JSValueMakeString(context, $0) }
            return JSObjectMakeError(context, 1, &message, nil)
        case .string(let text): return EngineString.withBrief(text) { JSValueMakeString(context, $0) }
        case .json(let text):
            guard let value = EngineString.withBrief(text, { JSValueMakeFromJSONString(context, $0) }) else {
                throw ScriptError(.badValue, "a value for the script is not JSON")
            }
            return value
        }
    }

    /// A number while that is exact, otherwise a `BigInt`. The C API of older systems has no constructor for it, so the
    /// global function is called, which the sandbox has made read-only.
    private static func integer(_ value: Int64, in context: JSContextRef) throws(ScriptError) -> JSValueRef? {
        guard value.magnitude > exactBelow else { return JSValueMakeNumber(context, Double(value)) }
        var exception: JSValueRef?
        let literal = EngineString.with("\(value)n") { JSEvaluateScript(context, $0, nil, nil, 1, &exception) }
        if let exception { throw error(exception, in: context) }
        return literal
    }

    /// 2^53: every whole number up to it is a double.
    private static let exactBelow: UInt64 = 9_007_199_254_740_992

    /// The Swift form of a value. A value that JSON cannot hold, such as a function, becomes `undefined`.
    static func value(_ value: JSValueRef?, in context: JSContextRef) throws(ScriptError) -> ScriptValue {
        guard let value else { return .undefined }
        switch JSValueGetType(context, value) {
        case kJSTypeNull: return .null
        case kJSTypeBoolean: return .bool(JSValueToBoolean(context, value))
        case kJSTypeNumber: return .number(JSValueToNumber(context, value, nil))
        case kJSTypeString: return .string(EngineString.take(JSValueToStringCopy(context, value, nil)) ?? "")
        case kJSTypeObject: return try object(value, in: context)
        case kJSTypeUndefined, kJSTypeSymbol: return .undefined
        default: return try bigInteger(value, in: context)
        }
    }

    /// Converts a `BigInt`. The headers of older systems have no name for its type.
    private static func bigInteger(_ value: JSValueRef, in context: JSContextRef) throws(ScriptError) -> ScriptValue {
        guard let text = EngineString.take(JSValueToStringCopy(context, value, nil)) else { return .undefined }
        guard let integer = Int64(text) else {
            throw ScriptError(.badValue, "a BigInt of more than 64 bits cannot leave the script")
        }
        return .integer(integer)
    }

    private static func object(_ value: JSValueRef, in context: JSContextRef) throws(ScriptError) -> ScriptValue {
        if JSValueIsDate(context, value) {
            let milliseconds = JSValueToNumber(context, value, nil)
            return milliseconds.isNaN ? .null : .date(Date(timeIntervalSince1970: milliseconds / 1000))
        }
        if let error = try errorValue(value, in: context) { return .error(error) }
        return try json(value, in: context)
    }

    /// The error in a value, if the value is one. Errors have no JSON form.
    private static func errorValue(_ value: JSValueRef, in context: JSContextRef) throws(ScriptError) -> ScriptError? {
        let constructor = EngineString.with("Error") {
            JSObjectGetProperty(context, JSContextGetGlobalObject(context), $0, nil)
        }
        guard let constructor, let type = JSValueToObject(context, constructor, nil),
            JSValueIsInstanceOfConstructor(context, value, type, nil)
        else { return nil }
        return error(value, in: context)
    }

    private static func json(_ value: JSValueRef, in context: JSContextRef) throws(ScriptError) -> ScriptValue {
        var exception: JSValueRef?
        let text = text(of: value, in: context, &exception)
        if let exception { throw error(exception, in: context) }
        return text.map(ScriptValue.json) ?? .undefined
    }

    /// The JSON text of a value, from the sandbox's own `JSON.stringify`. A script cannot replace that function. It limits
    /// the length of the text, and its error names the member that has no JSON form.
    private static func text(
        of value: JSValueRef, in context: JSContextRef, _ exception: inout JSValueRef?
    ) -> String? {
        guard let global = JSContextGetGlobalObject(context),
            let namespace = member("JSON", of: global, in: context).flatMap({ JSValueToObject(context, $0, nil) }),
            let stringify = member("stringify", of: namespace, in: context).flatMap({
                JSValueToObject(context, $0, nil)
            })
        else { return nil }
        var argument: JSValueRef? = value
        guard let text = JSObjectCallAsFunction(context, stringify, namespace, 1, &argument, &exception),
            JSValueIsString(context, text)
        else { return nil }
        return EngineString.take(JSValueToStringCopy(context, text, nil))
    }

    /// The error for a thrown value.
    static func error(_ exception: JSValueRef, in context: JSContextRef) -> ScriptError {
        // The engine cannot print the exception with which it stops a script.
        var message = EngineString.take(JSValueToStringCopy(context, exception, nil)) ?? "an exception without a text"
        guard JSValueIsObject(context, exception), let object = JSValueToObject(context, exception, nil) else {
            return ScriptError(.exception, message)
        }
        if message == "[object Object]", case .json(let text)? = try? json(exception, in: context) {
            message = text
        }
        return ScriptError(
            .exception, message, line: integer("line", of: object, in: context),
            column: integer("column", of: object, in: context), file: text("sourceURL", of: object, in: context),
            stack: text("stack", of: object, in: context))
    }

    /// A member that is a number. A script may have put anything there.
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
