package import TributaryJSON
package import TributaryScript

/// Questions of a review about a bundle that was loaded with `isReview`.
///
/// The bundle answers by running: a review knows what the engine did, not how the script's text looks.
extension LivePluginRuntime {
    /// A live plugin that a script has made.
    package struct MadePlugin: Sendable, Hashable {
        /// Its number among the added plugins; nil when it was not added.
        package let id: Int?
        /// The names of its class and of the classes between that and `LivePlugin`.
        package let classes: [String]
        /// Its methods that `LivePlugin` does not have.
        package let methods: [String]
    }

    /// The effect of a script's function on a value.
    package struct Observation: Sendable, Hashable {
        /// A member that was read, written or removed.
        package struct Use: Sendable, Hashable {
            package enum Kind: String, Sendable { case read, write, remove }
            package let kind: Kind
            package let path: [String]
        }

        /// The kind of the result: "null", "undefined", "object", "thrown" or "other".
        package let outcome: String
        /// Each use once.
        package let uses: Set<Use>

        fileprivate init?(_ json: JSON) {
            guard let outcome = json["outcome"]?.stringValue, let uses = json["uses"]?.elements else { return nil }
            self.outcome = outcome
            self.uses = Set(
                uses.compactMap { use in
                    guard let kind = use["kind"]?.stringValue.flatMap(Use.Kind.init(rawValue:)) else { return nil }
                    return Use(kind: kind, path: use["path"]?.elements?.compactMap(\.stringValue) ?? [])
                })
        }
    }

    /// The kind of value that a global name has.
    package enum GlobalKind: String, Sendable {
        /// A class that inherits from `LivePlugin`.
        case livePlugin
        case function
        case undefined
        case other
    }

    /// The live plugins that scripts have made, added or not.
    package func madePlugins() throws(ScriptError) -> [MadePlugin] {
        guard let review = functions.review else { return [] }
        let list = try json(engine.call(review.instances)).elements ?? []
        return list.map { plugin in
            MadePlugin(
                id: plugin["id"]?.intValue, classes: plugin["classes"]?.elements?.compactMap(\.stringValue) ?? [],
                methods: plugin["methods"]?.elements?.compactMap(\.stringValue) ?? [])
        }
    }

    /// The kind of value that each global name has after the bundle was loaded.
    ///
    /// - Parameter names: identifiers, or members of one such as `SignalType.Tap`.
    package func kinds(ofGlobals names: [String]) throws(ScriptError) -> [String: GlobalKind] {
        guard !names.isEmpty else { return [:] }
        let members = names.map { name in
            """
            \(JSON.string(name)): (() => { try {
                if (typeof \(name) === "undefined") return "undefined";
                if (typeof \(name) !== "function") return "other";
                return \(name).prototype instanceof LivePlugin ? "livePlugin" : "function";
            } catch { return "undefined" } })()
            """
        }
        let function = try engine.function(
            "() => JSON.stringify({\(members.joined(separator: ","))})", name: "review.js")
        var kinds: [String: GlobalKind] = [:]
        for (name, kind) in try json(engine.call(function)).objectValue ?? [:] {
            kinds[name] = kind.stringValue.flatMap(GlobalKind.init(rawValue:))
        }
        return kinds
    }

    /// The members of an object of the global scope.
    package func members(ofGlobal name: String) throws(ScriptError) -> [String] {
        let function = try engine.function("() => JSON.stringify(Object.keys(\(name)))", name: "review.js")
        return try json(engine.call(function)).elements?.compactMap(\.stringValue) ?? []
    }

    /// The effect of an added plugin on an event.
    package func observe(plugin id: Int, on event: JSON) throws(ScriptError) -> Observation? {
        guard let review = functions.review else { return nil }
        host.begin(.event(event))
        return Observation(
            try json(engine.call(review.probe, [.number(Double(id)), .string(event.description)])))
    }

    /// Observes how `processSignal` treats a signal.
    package func observe(signal: JSON) throws(ScriptError) -> Observation? {
        guard let review = functions.review else { return nil }
        host.begin(.signal(signal, generation: 0))
        return Observation(try json(engine.call(review.probeSignal, [.string(signal.description)])))
    }

    private func json(_ value: ScriptValue) throws(ScriptError) -> JSON {
        do {
            return try JSON.parse(value.text ?? "")
        } catch {
            throw ScriptError(.badValue, "the review got no JSON: \(error)")
        }
    }
}
