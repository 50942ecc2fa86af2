// Regular expressions that can take very long: the ways through each text are counted first, and where they are many,
// the text is tried step by step.
//
// The engine works with the object behind an expression, whatever a script has put in front of it. So a risky expression
// is an object that only looks like one, and the real one is nowhere to be found. All others are the engine's own.

// Takes the place of a literal that was found to be risky. The second argument is none.
let __tributary_bounded;

(function (global) {
    "use strict";

    const useOf = global.__expressionUse;
    const stepsOf = global.__expressionSteps;
    delete global.__expressionUse;
    delete global.__expressionSteps;
    const { apply, becomeConstructor, construct, defineProperty, getOwnPropertyDescriptor, lengthOf, ownKeys } = global.__limits;
    const { freeze, setPrototypeOf } = Object;
    const { codePointAt, replace: replaceText, slice } = String.prototype;
    const { match, matchAll, replace, search, species, split } = Symbol;
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

    // How it is used: one of the four numbers below.
    function limitOf(expression) {
        const source = apply(sourceOf, expression, []);
        const flags = apply(flagsOf, expression, []);
        const key = flags + "/" + source;
        let limit = known.get(key);
        if (limit !== undefined) return limit;
        // An analysis takes up to some milliseconds.
        if ((__tributary_left -= 256) <= 0) __tributary_look();
        limit = useOf(source, flags);
        if (known.size >= mostKnown) known.clear();
        known.set(key, limit);
        return limit;
    }

    // The answers of `useOf`: for an expression that no text makes slow, for one that a long text makes slow because it is
    // tried again from each character, for one that some texts make slow because there are many ways to try, and for one
    // that is too large for an analysis.
    const anyText = -1;
    const stepByStep = 0;
    const counted = -2;
    const refused = -3;

    // The most steps of counting before it gives up.
    const mostSteps = 2 ** 20;

    // A text of this length is left to the engine. Such an expression then takes at most a tenth of a second.
    const mostAtOnce = 4096;

    // Looks like an expression. Its members hide those of all expressions, which would look for the engine's own object.
    class Bounded {
        #expression;
        #limit;

        constructor(expression, limit) {
            this.#expression = expression;
            this.#limit = limit;
        }

        get lastIndex() {
            return this.#expression.lastIndex;
        }

        set lastIndex(index) {
            this.#expression.lastIndex = index;
        }

        get source() {
            return apply(sourceOf, this.#expression, []);
        }

        get flags() {
            return apply(flagsOf, this.#expression, []);
        }

        exec(text) {
            // Called on another expression, it is that one's.
            if (!(#expression in this)) return apply(exec, this, [text]);
            const given = `${text}`;
            const { global, sticky, lastIndex } = this.#expression;
            const start = this.#limit === counted && (global || sticky) ? lengthOf(lastIndex) : 0;
            if (isQuick(this.#expression, this.#limit, given, start)) return apply(exec, this.#expression, [given]);
            return step(this.#expression, this.#limit, given);
        }

        static {
            for (const flag of flagNames) {
                const { get } = isOwn(flag);
                defineProperty(this.prototype, flag, { get() { return apply(get, this.#expression, []) } });
            }
            // On a short text the engine's own object can do all the work, which is faster.
            for (const key of [match, matchAll, replace, search, split]) {
                const native = expressions[key];
                const use = function (text) {
                    const given = arguments[0] = `${text}`;
                    if (isQuick(this.#expression, this.#limit, given, 0)) return apply(native, this.#expression, arguments);
                    if (key !== split) return apply(native, this, arguments);
                    return splitByStep(this.#expression, this.#limit, given, arguments[1]);
                };
                defineProperty(this.prototype, key, { value: use });
            }
        }
    }
    setPrototypeOf(Bounded.prototype, expressions);

    // Whether the engine can do all the work on a text; otherwise it is done step by step. Throws for an expression that is
    // never used.
    function isQuick(expression, limit, text, start) {
        if (limit === stepByStep) return text.length <= mostAtOnce;
        if (limit === counted) return start > text.length || isCounted(expression, text, start, false);
        if (limit === refused) {
            throw new RangeError(shown(expression) + " is too large for an analysis of its time, so it is not used");
        }
        return true;
    }

    // Whether the ways through a text from a place on are few: those of the whole search, or of the try at that place.
    function isCounted(expression, text, start, isOneTry) {
        const steps = stepsOf(apply(sourceOf, expression, []), apply(flagsOf, expression, []), text, start, isOneTry);
        if ((__tributary_left -= 1 + (text.length >> 8) + ((steps < 0 ? mostSteps : steps) >>> 6)) <= 0) __tributary_look();
        return steps >= 0;
    }

    function shown(expression) {
        const source = apply(sourceOf, expression, []);
        return "/" + (source.length > 60 ? source.slice(0, 60) + "…" : source) + "/";
    }

    // Lets the engine try one place of a text after the other, and counts them.
    class Steps {
        constructor(expression, limit, text) {
            const flags = apply(flagsOf, expression, []);
            this.tried = new Native(expression, apply(replaceText, flags, [/[gy]/g, ""]) + "y");
            this.isUnicode = expression.unicode || expression.unicodeSets === true;
            this.isCounted = limit === counted;
            this.text = text;
            this.cost = (text.length >> 8) + 1;
        }

        // The next match from a place on; null when there is none.
        next(index) {
            for (; index <= this.text.length; index = this.after(index)) {
                const found = this.at(index);
                if (found !== null) return found;
            }
            return null;
        }

        at(index) {
            if ((__tributary_left -= this.cost) <= 0) __tributary_look();
            if (this.isCounted && !isCounted(this.tried, this.text, index, true)) {
                throw new RangeError(shown(this.tried) + " can match this text of " + this.text.length
                    + " characters in very many ways, and trying them all would take too long");
            }
            this.tried.lastIndex = index;
            return apply(exec, this.tried, [this.text]);
        }

        after(index) {
            return index + (this.isUnicode && apply(codePointAt, this.text, [index]) > 0xffff ? 2 : 1);
        }
    }

    function step(expression, limit, text) {
        const { global, sticky } = expression;
        const steps = new Steps(expression, limit, text);
        const start = global || sticky ? lengthOf(expression.lastIndex) : 0;
        const found = start > text.length ? null : sticky ? steps.at(start) : steps.next(start);
        if (global || sticky) expression.lastIndex = found === null ? 0 : steps.tried.lastIndex;
        return found;
    }

    function splitByStep(expression, limit, text, mostParts) {
        const most = mostParts === undefined ? 2 ** 32 - 1 : mostParts >>> 0;
        const steps = new Steps(expression, limit, text);
        const parts = [];
        let begin = 0;
        let found = most === 0 ? null : steps.next(0);
        while (found !== null && found.index < text.length) {
            const end = steps.tried.lastIndex;
            if (end === begin) {
                found = steps.next(steps.after(found.index));
                continue;
            }
            found[0] = apply(slice, text, [begin, found.index]);
            for (let index = 0; index < found.length; index++) {
                if (parts.length === most) return parts;
                parts[parts.length] = found[index];
            }
            begin = end;
            found = steps.next(begin);
        }
        if (parts.length < most) parts[parts.length] = apply(slice, text, [begin]);
        return parts;
    }

    // Members that a subclass would otherwise have from the engine's own expressions.
    const members = ["lastIndex", "source", "flags", "exec", "constructor", ...flagNames];

    function bounded(expression, prototype) {
        const limit = limitOf(expression);
        if (limit === anyText) return expression;
        const made = new Bounded(expression, limit);
        if (prototype === expressions) return made;
        for (const key of members) defineProperty(made, key, getOwnPropertyDescriptor(Bounded.prototype, key));
        return setPrototypeOf(made, prototype);
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
    // The copies of `split` and `matchAll` are bounded, too.
    const Species = { [species]: Wrapper, name: "RegExp" };
    defineProperty(Bounded.prototype, "constructor", { value: Species });
    freeze(Bounded.prototype);

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
