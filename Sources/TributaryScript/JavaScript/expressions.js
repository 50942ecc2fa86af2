// Regular expressions that can take very long: they run on texts of bounded length only.
//
// The engine works with the object behind an expression, whatever a script has put in front of it. So a risky expression
// is an object that only looks like one, and the real one is nowhere to be found. All others are the engine's own.

// Takes the place of a literal that was found to be risky. The second argument is none.
let __tributary_bounded;

(function (global) {
    "use strict";

    const riskOf = global.__expressionLimit;
    delete global.__expressionLimit;
    const { apply, becomeConstructor, construct, create, defineProperty, getOwnPropertyDescriptor, ownKeys } = global.__limits;
    const { match, species } = Symbol;
    const Native = RegExp;
    const expressions = RegExp.prototype;
    const { exec } = expressions;
    const isOwn = (key) => getOwnPropertyDescriptor(expressions, key);
    const sourceOf = isOwn("source").get;
    const flagsOf = isOwn("flags").get;
    const flagNames = ownKeys(expressions).filter((key) => typeof key === "string" && key !== "flags" && key !== "source"
        && isOwn(key).get !== undefined);
    // Turns an expression into another one.
    delete expressions.compile;

    const known = new Map();
    const mostKnown = 200;

    // How long a text it can have; less than zero for any length.
    function limitOf(expression) {
        const source = apply(sourceOf, expression, []);
        const flags = apply(flagsOf, expression, []);
        const key = flags + "/" + source;
        let limit = known.get(key);
        if (limit !== undefined) return limit;
        limit = riskOf(source, flags);
        if (known.size >= mostKnown) known.clear();
        known.set(key, limit);
        return limit;
    }

    function bounded(expression, prototype) {
        const limit = limitOf(expression);
        if (limit < 0) return expression;
        const made = create(prototype);
        const constant = (key, value) => defineProperty(made, key, { value });
        for (const flag of flagNames) constant(flag, expression[flag]);
        const source = apply(sourceOf, expression, []);
        constant("source", source);
        constant("flags", apply(flagsOf, expression, []));
        // What `split` and `matchAll` copy is bounded, too.
        constant("constructor", Species);
        constant("exec", {
            exec(text) {
                const given = `${text}`;
                if (given.length > limit) {
                    const shown = source.length > 60 ? source.slice(0, 60) + "…" : source;
                    throw new RangeError("/" + shown + "/ can take very long, so it is used for texts of at most " + limit
                        + " characters");
                }
                expression.lastIndex = made.lastIndex;
                const found = apply(exec, expression, [given]);
                made.lastIndex = expression.lastIndex;
                return found;
            },
        }.exec);
        defineProperty(made, "lastIndex", { value: expression.lastIndex, writable: true });
        return made;
    }

    const Wrapper = function (pattern, flags) {
        const isPattern = typeof pattern === "object" && pattern !== null && pattern[match] !== undefined;
        if (new.target === undefined && isPattern && flags === undefined) {
            if (pattern.constructor === Wrapper || pattern.constructor === Species) return pattern;
        }
        const made = new.target === undefined || new.target === Wrapper
            ? construct(Native, arguments)
            : construct(Native, arguments, new.target);
        return bounded(made, new.target === undefined ? expressions : new.target.prototype);
    };
    becomeConstructor(global, "RegExp", Wrapper, null);
    const Species = { [species]: Wrapper, name: "RegExp" };

    // The last match, of which the language of old keeps an account.
    for (const key of ownKeys(Native)) {
        if (typeof key !== "string" || typeof Native[key] !== "string" || key === "name") continue;
        defineProperty(Wrapper, key, { get: () => Native[key], set() {} });
    }

    __tributary_bounded = (expression) => bounded(expression, expressions);
    // For literals inside of `with`, where an object can hide every name.
    defineProperty(Number.prototype, "__tributary_bounded", { value: __tributary_bounded });

    // A text as a pattern becomes an expression.
    const { apply: call } = Reflect;
    for (const [name, flags] of [["match", ""], ["matchAll", "g"], ["search", ""]]) {
        const native = String.prototype[name];
        global.__limits.replace(String.prototype, name, {
            seek(pattern) {
                const isObject = typeof pattern === "object" && pattern !== null && pattern[match] !== undefined;
                const sought = isObject || pattern === undefined ? pattern : new Wrapper(pattern, flags);
                return call(native, this, [sought]);
            },
        }.seek);
    }
    delete global.__limits;
})(globalThis);
