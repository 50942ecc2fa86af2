// Built-in functions that loop by themselves: no guard runs while they do. So each gets a wrapper that looks at the
// lengths first, and counts them as guards. A script cannot get at what is behind a wrapper.
(function (global) {
    "use strict";

    const builtIns = global.__builtIns;
    delete global.__builtIns;
    const { apply, construct, ownKeys } = Reflect;
    const { create, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } = Object;
    const { floor } = Math;
    const { species } = Symbol;
    const remember = builtIns.set.bind(builtIns);

    // The elements of a list, the characters of a text, the bytes of a buffer.
    const most = 1 << 20;

    // Throws when a length is too large, and else counts it. An element takes much less time than a guard.
    function charge(length, what) {
        if (length > most) throw new RangeError(what + ": the length is limited to " + most + " for scripts");
        if ((__tributary_left -= (length >> 5) + 1) <= 0) __tributary_look();
    }

    // A length as a whole number; 0 when it is none.
    function lengthOf(value) {
        const length = floor(+value);
        return length > 0 ? length : 0;
    }

    // Puts a function in the place of a built-in one.
    function replace(owner, name, wrapper) {
        const native = owner[name];
        if (typeof native !== "function") return;
        dress(wrapper, native);
        const known = getOwnPropertyDescriptor(owner, name);
        defineProperty(owner, name, { ...known, value: wrapper });
    }

    // Name, length and text are those of the built-in function.
    function dress(wrapper, native) {
        defineProperty(wrapper, "name", { value: native.name, configurable: true });
        defineProperty(wrapper, "length", { value: native.length, configurable: true });
        remember(wrapper, native.name);
    }

    // Puts a constructor in the place of a built-in one. Subclasses go through it, too.
    //
    // check: is given the arguments, and throws when they are too large.
    // making: null when its methods make the built-in objects by themselves, which is faster.
    function replaceConstructor(owner, name, check, making) {
        const native = owner[name];
        if (typeof native !== "function") return undefined;
        const wrapper = function () {
            check(arguments, new.target);
            if (new.target === undefined) return apply(native, undefined, arguments);
            return new.target === wrapper ? construct(native, arguments) : construct(native, arguments, new.target);
        };
        becomeConstructor(owner, name, wrapper, making);
        return wrapper;
    }

    function becomeConstructor(owner, name, wrapper, making) {
        const native = owner[name];
        setPrototypeOf(wrapper, getPrototypeOf(native));
        for (const key of ownKeys(native)) {
            if (key !== "prototype") defineProperty(wrapper, key, getOwnPropertyDescriptor(native, key));
        }
        if (making === null) {
            defineProperty(wrapper, species, { get() { return this === wrapper ? undefined : this } });
        }
        remember(wrapper, native.name);
        // The prototype of a function can be replaced, but not redefined.
        wrapper.prototype = native.prototype;
        defineProperty(wrapper, "prototype", { writable: false });
        if (native.prototype !== undefined) defineProperty(native.prototype, "constructor", { value: wrapper });
        defineProperty(owner, name, { value: wrapper });
    }

    global.__limits = {
        apply, becomeConstructor, builtIns, charge, construct, create, defineProperty, getOwnPropertyDescriptor, lengthOf, most,
        ownKeys, replace, replaceConstructor,
    };
})(globalThis);
