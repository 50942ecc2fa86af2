// Removes functions that no budget can stop, and closes objects that all scripts share.
(function (global) {
    "use strict";

    const { defineProperty, freeze, getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
    const { getPrototypeOf, preventExtensions } = Object;

    // Ways to turn text into code. The hidden constructors are only reachable through the functions' prototypes.
    const codeMakers = [function () {}, function* () {}, async function () {}, async function* () {}];
    for (const sample of codeMakers) {
        defineProperty(getPrototypeOf(sample), "constructor", {
            value: undefined, writable: false, configurable: false,
        });
    }
    delete global.eval;
    // Scripts compare with it, and ask it for the global object. It makes no code.
    const functions = Function.prototype;
    const NoFunction = function Function(...texts) {
        if (texts.length === 1 && texts[0] === "return this") return () => global;
        throw new TypeError("Function makes code of a text, and text cannot become code");
    };
    defineProperty(NoFunction, "prototype", { value: functions, writable: false });
    global.Function = freeze(NoFunction);

    // Functions with a loop of their own between the steps of promises, and functions that report no failure.
    delete Array.fromAsync;
    delete global.queueMicrotask;

    // Threads, machine code, and what depends on the collector's mood.
    delete global.Atomics;
    delete global.SharedArrayBuffer;
    delete global.WebAssembly;
    delete global.WeakRef;
    delete global.FinalizationRegistry;
    delete global.ShadowRealm;

    // No script can put a toJSON or a setter where every object finds it, or take Array.map from the others.
    // The prototypes of Object and Error stay writable, because an assignment to a member of the same name would fail
    // on every object that inherits from them, and classes of the old style assign to toString, constructor, message.
    preventExtensions(Object.prototype);
    const shared = [
        Object, Array, String, Number, Boolean, Symbol, Date, RegExp, Map, Set, WeakMap, WeakSet, Error, Promise,
    ];
    for (const constructor of shared) freeze(constructor);
    for (const constructor of shared) {
        if (constructor !== Object && constructor !== Error) freeze(constructor.prototype);
    }
    for (const sample of codeMakers) freeze(getPrototypeOf(sample));

    // Loops, spread and the constructors that classes get by default all go through these.
    const iterators = [[], "", new Map(), new Set(), "".matchAll(/x/g), (function* () {})()].map((one) => one[Symbol.iterator]());
    for (const iterator of [...iterators, (async function* () {})()]) {
        let link = iterator;
        for (; link !== Object.prototype; link = getPrototypeOf(link)) freeze(link);
    }
    for (const namespace of [JSON, Math, Reflect]) freeze(namespace);

    // An assignment to a global of the language does nothing; a script's own `let` of that name still works.
    for (const name of getOwnPropertyNames(global)) {
        if (getOwnPropertyDescriptor(global, name).configurable) defineProperty(global, name, { writable: false });
    }
})(globalThis);
