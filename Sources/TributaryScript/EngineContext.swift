import Foundation

#if canImport(CTributaryJavaScriptCore)
import CTributaryJavaScriptCore
#elseif canImport(JavaScriptCore)
import JavaScriptCore
#endif
#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)

/// One virtual machine with one global object. Only this type owns objects of JavaScriptCore.
///
/// It knows no budgets; `ScriptEngine` calls it within one.
final class EngineContext {
    let group: JSContextGroupRef
    private let nativeClass: JSClassRef
    private let census: ScriptCensus
    private var kept: [JSObjectRef] = []
    private var natives: [NativeFunction] = []
    private(set) var global: JSGlobalContextRef?
    private var places = ScriptPlaces()
    /// Scripts that run without guards, with the reasons.
    private(set) var unguarded: [ScriptError] = []

    init(census: ScriptCensus) throws(ScriptError) {
        var definition = JSClassDefinition()
        definition.callAsFunction = NativeFunction.call
        guard let group = JSContextGroupCreate() else {
            throw ScriptError(.unavailable, "JavaScriptCore made no virtual machine")
        }
        guard let nativeClass = JSClassCreate(&definition), let global = JSGlobalContextCreateInGroup(group, nil) else {
            JSContextGroupRelease(group)
            throw ScriptError(.unavailable, "JavaScriptCore made no context")
        }
        self.group = group
        self.nativeClass = nativeClass
        self.global = global
        self.census = census
        census.add(.context, 1)
    }

    deinit { close() }

    /// Releases everything. No script may be running.
    func close() {
        guard let global else { return }
        for object in kept { JSValueUnprotect(global, object) }
        census.add(.protected, -kept.count)
        kept = []
        self.global = nil
        JSGlobalContextRelease(global)
        JSClassRelease(nativeClass)
        JSContextGroupRelease(group)
        census.add(.native, -natives.count)
        natives = []
        census.add(.context, -1)
    }

    /// Evaluates a script without guards and without its value.
    /// - Parameter isOwn: whether it is one of the library's own scripts. Errors name no place in those.
    func runAsItIs(_ source: String, name: String, isOwn: Bool) throws(ScriptError) {
        // An author may have a file of that name, too.
        let name = isOwn ? "tributary/" + name : name
        if isOwn { places.own.insert(name) }
        _ = try rawValue(of: source, name: name, line: 1)
    }

    /// Evaluates a script with guards, without its value.
    func run(_ source: String, name: String, line: Int, sourceMap: SourceMap?) throws(ScriptError) {
        if let sourceMap { places.sourceMaps[name] = ScriptSources(script: source, given: sourceMap) }
        _ = try guardedValue(of: source, name: name, line: line)
    }

    /// Evaluates a script with guards, and converts its value.
    func evaluate(_ source: String, name: String, line: Int) throws(ScriptError) -> ScriptValue {
        try converted(try guardedValue(of: source, name: name, line: line), in: try context())
    }

    /// Evaluates a script to a function, and keeps the function until the context is closed.
    func function(_ source: String, name: String) throws(ScriptError) -> Int {
        let context = try context()
        let value = try guardedValue(of: source, name: name, line: 1)
        guard let value, JSValueIsObject(context, value), let object = JSValueToObject(context, value, nil),
            JSObjectIsFunction(context, object)
        else { throw ScriptError(.badValue, "no function: \(source)", file: name) }
        JSValueProtect(context, object)
        census.add(.protected, 1)
        kept.append(object)
        return kept.count - 1
    }

    /// Calls a kept function.
    func call(_ function: Int, _ arguments: [ScriptValue]) throws(ScriptError) -> ScriptValue {
        let context = try context()
        guard kept.indices.contains(function) else { throw ScriptError(.badValue, "no such function") }
        return try call(kept[function], arguments, in: context)
    }

    /// Calls the function in a global variable.
    func call(global name: String, _ arguments: [ScriptValue]) throws(ScriptError) -> ScriptValue {
        let context = try context()
        var exception: JSValueRef?
        let value = EngineString.with(name) {
            JSObjectGetProperty(context, JSContextGetGlobalObject(context), $0, &exception)
        }
        if let exception { throw thrown(exception, in: context) }
        guard let value, JSValueIsObject(context, value), let object = JSValueToObject(context, value, nil),
            JSObjectIsFunction(context, object)
        else { throw ScriptError(.badValue, "\(name) is not a function") }
        return try call(object, arguments, in: context)
    }

    /// Makes a native function a global variable.
    ///
    /// - Parameter body: called on the thread on which the script runs.
    func expose(_ name: String, _ body: @escaping NativeFunction.Body) throws(ScriptError) {
        let context = try context()
        let native = NativeFunction(body)
        let object = JSObjectMake(context, nativeClass, Unmanaged.passUnretained(native).toOpaque())
        natives.append(native)
        census.add(.native, 1)
        var exception: JSValueRef?
        EngineString.with(name) {
            JSObjectSetProperty(
                context, JSContextGetGlobalObject(context), $0, object, JSPropertyAttributes(0), &exception)
        }
        if let exception { throw thrown(exception, in: context) }
    }

    /// Lets the guards count again, and tells whether the engine runs code. After a termination, the next entry may
    /// still fail.
    func runsAgain() -> Bool {
        guard let global else { return false }
        return EngineString.with("__tributary_isOver = false") { JSEvaluateScript(global, $0, nil, nil, 1, nil) != nil }
    }

    private func context() throws(ScriptError) -> JSGlobalContextRef {
        guard let global else { throw ScriptError(.unusable, "the engine is closed") }
        return global
    }

    private func rawValue(of source: String, name: String, line: Int) throws(ScriptError) -> JSValueRef? {
        let context = try context()
        var exception: JSValueRef?
        let value = EngineString.with(source) { source in
            EngineString.with(name) { JSEvaluateScript(context, source, nil, $0, Int32(clamping: line), &exception) }
        }
        if let exception { throw thrown(exception, in: context) }
        return value
    }

    /// The value of a script with guards. A script that the engine accepts only without guards runs without them.
    private func guardedValue(of source: String, name: String, line: Int) throws(ScriptError) -> JSValueRef? {
        if places.sourceMaps[name] == nil, source.utf8.count > 100, source.contains("//# sourceMappingURL=data:") {
            places.sourceMaps[name] = ScriptSources(script: source, given: nil)
        }
        let script: GuardedSource
        do {
            script = try GuardedSource(source, firstLine: line)
        } catch {
            guard !error.isRefusal else {
                throw translated(
                    ScriptError(.refused, error.message, line: error.line(in: source, firstLine: line), file: name))
            }
            return try unguardedValue(of: source, name: name, line: line, because: error.message)
        }
        do {
            places.maps[name] = script.map
            if script.hasBigIntegers { _ = try rawValue(of: "__tributary_slowDown()", name: "guards.js", line: 1) }
            return try rawValue(of: script.text, name: name, line: line)
        } catch {
            guard error.message.hasPrefix("SyntaxError"), !isAccepted(script.text) else { throw error }
            return try unguardedValue(of: source, name: name, line: line, because: error.message)
        }
    }

    private func unguardedValue(
        of source: String, name: String, line: Int, because reason: String
    ) throws(ScriptError) -> JSValueRef? {
        places.maps[name] = nil
        if isAccepted(source) {
            unguarded.append(ScriptError(.refused, "the script runs without guards: \(reason)", file: name))
        }
        return try rawValue(of: source, name: name, line: line)
    }

    /// Whether the engine accepts a text as a script.
    private func isAccepted(_ source: String) -> Bool {
        guard let global else { return false }
        return EngineString.with(source) { JSCheckScriptSyntax(global, $0, nil, 1, nil) }
    }

    // MARK: Places in the author's file

    /// An error with the places in the author's file.
    private func translated(_ error: ScriptError) -> ScriptError { error.translated(by: places) }

    /// An error without its stack.
    /// - Parameter findsPlace: whether to look for the place in the author's file.
    func explained(_ error: ScriptError, findsPlace: Bool) -> ScriptError {
        findsPlace ? error.translated(by: places, keepsStack: false) : error.withoutStack(places)
    }

    private func thrown(_ exception: JSValueRef, in context: JSContextRef) -> ScriptError {
        ScriptConversion.error(exception, in: context).translated(by: places)
    }

    private func converted(_ value: JSValueRef?, in context: JSContextRef) throws(ScriptError) -> ScriptValue {
        do {
            let value = try ScriptConversion.value(value, in: context)
            guard case .error(let error) = value else { return value }
            return .error(error.translated(by: places))
        } catch {
            throw error.translated(by: places)
        }
    }

    private func call(
        _ function: JSObjectRef, _ arguments: [ScriptValue], in context: JSContextRef
    ) throws(ScriptError) -> ScriptValue {
        guard arguments.count <= Self.argumentLimit else {
            throw ScriptError(.badValue, "a function takes at most \(Self.argumentLimit) arguments")
        }
        // The collector looks for values on the stack and not in Swift's heap, so the arguments are on the stack.
        let result = withUnsafeTemporaryAllocation(of: JSValueRef?.self, capacity: arguments.count) { values in
            Result { () throws(ScriptError) -> ScriptValue in
                for (index, argument) in arguments.enumerated() {
                    values.initializeElement(at: index, to: try ScriptConversion.raw(argument, in: context))
                }
                var exception: JSValueRef?
                let value = JSObjectCallAsFunction(
                    context, function, nil, values.count, values.baseAddress, &exception)
                if let exception { throw thrown(exception, in: context) }
                return try converted(value, in: context)
            }
        }
        return try result.get()
    }

    /// A small number, so that the buffer stays on the stack.
    private static let argumentLimit = 32
}
#endif
