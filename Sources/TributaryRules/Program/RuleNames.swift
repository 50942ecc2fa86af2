/// The methods that programs can call on values.
package enum RuleMethod: String, Sendable, CaseIterable {
    // Texts.
    case toLowerCase, toUpperCase, trim, trimStart, trimEnd, substring, substr, startsWith, endsWith, split, replace
    case replaceAll, charAt, charCodeAt, padStart, padEnd, `repeat`
    // Texts and arrays.
    case slice, indexOf, lastIndexOf, includes, at, concat
    // Arrays.
    case map, filter, find, findIndex, findLast, some, every, forEach, reduce, flatMap
    case join, push, pop, shift, unshift, reverse, sort
    // Numbers, and all values.
    case toFixed, toString, hasOwnProperty

    /// Whether the first argument is a function that the method calls.
    package var takesFunction: Bool {
        switch self {
        case .map, .filter, .find, .findIndex, .findLast, .some, .every, .forEach, .reduce, .flatMap: true
        default: false
        }
    }
}

/// The functions of the language that programs can call, by their names in scripts.
package enum RuleBuiltin: String, Sendable, CaseIterable {
    case keys = "Object.keys"
    case values = "Object.values"
    case entries = "Object.entries"
    case assign = "Object.assign"
    case fromEntries = "Object.fromEntries"
    case hasOwn = "Object.hasOwn"
    case isArray = "Array.isArray"
    case string = "String"
    case number = "Number"
    case boolean = "Boolean"
    case parseInt, parseFloat, isNaN, isFinite
    case isInteger = "Number.isInteger"
    case isFiniteNumber = "Number.isFinite"
    case isNaNNumber = "Number.isNaN"
    case round = "Math.round"
    case floor = "Math.floor"
    case ceil = "Math.ceil"
    case trunc = "Math.trunc"
    case abs = "Math.abs"
    case sign = "Math.sign"
    case min = "Math.min"
    case max = "Math.max"
    case power = "Math.pow"
    case squareRoot = "Math.sqrt"
    case stringify = "JSON.stringify"
    /// The array of all elements, as `[...value]` has them. Not a name of scripts.
    case list = "(list)"
    /// Whether a set of constants has a value. Not a name of scripts.
    case setHas = "(set has)"
    /// An object without some keys, as `{ a, ...rest }` leaves it. Not a name of scripts.
    case without = "(without)"
    /// Throws unless the value has members. Not a name of scripts.
    case require = "(require)"
}

/// The names of members that values inherit from JavaScript.
enum InheritedNames {
    static let object: Set<String> = [
        "constructor", "__defineGetter__", "__defineSetter__", "hasOwnProperty", "__lookupGetter__",
        "__lookupSetter__", "isPrototypeOf", "propertyIsEnumerable", "toString", "valueOf", "toLocaleString",
        "__proto__",
    ]
    static let array: Set<String> = object.union([
        "at", "concat", "copyWithin", "entries", "every", "fill", "filter", "find", "findIndex", "findLast",
        "findLastIndex", "flat", "flatMap", "forEach", "includes", "indexOf", "join", "keys", "lastIndexOf", "map",
        "pop", "push", "reduce", "reduceRight", "reverse", "shift", "slice", "some", "sort", "splice", "toReversed",
        "toSorted", "toSpliced", "unshift", "values", "with",
    ])
    static let string: Set<String> = object.union([
        "anchor", "at", "big", "blink", "bold", "charAt", "charCodeAt", "codePointAt", "concat", "endsWith", "fixed",
        "fontcolor", "fontsize", "includes", "indexOf", "isWellFormed", "italics", "lastIndexOf", "link",
        "localeCompare", "match", "matchAll", "normalize", "padEnd", "padStart", "repeat", "replace", "replaceAll",
        "search", "slice", "small", "split", "startsWith", "strike", "sub", "substr", "substring", "sup",
        "toLocaleLowerCase", "toLocaleUpperCase", "toLowerCase", "toUpperCase", "toWellFormed", "trim", "trimEnd",
        "trimLeft", "trimRight", "trimStart",
    ])
    static let function: Set<String> = object.union([
        "apply", "arguments", "bind", "call", "caller", "length", "name", "prototype",
    ])
    static let number: Set<String> = object.union(["toExponential", "toFixed", "toPrecision"])
}
