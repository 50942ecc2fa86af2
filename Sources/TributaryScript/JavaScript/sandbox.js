// The first script of every engine: takes away what no budget can stop, and closes what all scripts share.
(function (global) {
    "use strict";

    const log = global.__console;
    delete global.__console;

    const { defineProperty, freeze, getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
    const { getPrototypeOf, preventExtensions } = Object;
    const { stringify } = JSON;
    const toText = String;

    // Ways to turn text into code. The hidden constructors are only reachable through the functions' prototypes.
    const codeMakers = [function () {}, function* () {}, async function () {}, async function* () {}];
    for (const sample of codeMakers) {
        defineProperty(getPrototypeOf(sample), "constructor", {
            value: undefined, writable: false, configurable: false,
        });
    }
    delete global.eval;
    delete global.Function;

    // A promise runs its reactions after the call that a budget belongs to, and nothing can stop an endless chain.
    const promises = global.Promise.prototype;
    delete promises.then;
    delete promises.catch;
    delete promises.finally;
    delete promises.constructor;
    delete Array.fromAsync;
    delete global.Promise;
    delete global.queueMicrotask;

    // Threads, machine code, and what depends on the collector's mood.
    delete global.Atomics;
    delete global.SharedArrayBuffer;
    delete global.WebAssembly;
    delete global.WeakRef;
    delete global.FinalizationRegistry;
    delete global.ShadowRealm;

    // Nobody can put a toJSON or a setter where every object finds it, and nobody can take Array.map from the others.
    // The prototypes of Object and Error stay writable, because an assignment to a member of the same name would fail
    // on every object that inherits from them, and classes of the old style assign to toString, constructor, message.
    preventExtensions(Object.prototype);
    const shared = [Object, Array, String, Number, Boolean, Symbol, Date, RegExp, Map, Set, WeakMap, WeakSet, Error];
    for (const constructor of shared) freeze(constructor);
    for (const constructor of shared) {
        if (constructor !== Object && constructor !== Error) freeze(constructor.prototype);
    }
    for (const sample of codeMakers) freeze(getPrototypeOf(sample));

    // Loops, spread and the constructors that classes get by default all go through these.
    const iterables = [[], "", new Map(), new Set(), "".matchAll(/x/g), (function* () {})()];
    for (const iterable of iterables) {
        let link = iterable[Symbol.iterator]();
        for (; link !== Object.prototype; link = getPrototypeOf(link)) freeze(link);
    }
    for (const namespace of [JSON, Math, Reflect]) freeze(namespace);

    // An assignment to a global of the language does nothing; a script's own `let` of that name still works.
    for (const name of getOwnPropertyNames(global)) {
        if (getOwnPropertyDescriptor(global, name).configurable) defineProperty(global, name, { writable: false });
    }

    // The console. Objects are printed as JSON; whatever cannot be printed must not throw at the caller.
    const textLimit = 8192;

    function describe(value) {
        if (typeof value === "string") return value;
        if (typeof value === "function") return "function " + value.name;
        if (typeof value !== "object" || value === null) return toText(value);
        if (value instanceof Error) return toText(value);
        const text = stringify(value);
        return text === undefined ? toText(value) : text;
    }

    function write(level, values) {
        let line = "";
        for (let index = 0; index < values.length && line.length < textLimit; index++) {
            if (index > 0) line += " ";
            try {
                line += describe(values[index]);
            } catch {
                line += "[unprintable]";
            }
        }
        log(level, line.length > textLimit ? line.slice(0, textLimit - 1) + "…" : line);
    }

    const console = {
        debug(...values) { write("debug", values); },
        log(...values) { write("log", values); },
        info(...values) { write("info", values); },
        warn(...values) { write("warn", values); },
        error(...values) { write("error", values); },
    };
    defineProperty(global, "console", { value: freeze(console), writable: false, configurable: true });
})(globalThis);
