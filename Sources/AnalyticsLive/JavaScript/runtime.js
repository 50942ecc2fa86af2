// The ground of the live plugin runtime. The files that follow add to `__runtime`; when all of them have run, the host
// keeps the functions that it needs and takes the name away.
//
// Scripts of a bundle share one global object. Nothing here looks up anything by name after it was loaded, apart from
// what the sandbox froze, so a script that spoils its globals spoils only its own use of them. Loops count, because
// the iterators behind `for … of` and spread can be replaced.
(function (global) {
    "use strict";

    const host = global.__host;
    delete global.__host;

    const { defineProperty, freeze } = Object;
    const names = [];
    const values = [];

    // Makes a name of the runtime's known to scripts. They cannot assign to it, but may declare one of their own.
    function publish(name, value) {
        names.push(name);
        values.push(value);
        place(name, value);
    }

    function place(name, value) {
        defineProperty(global, name, { value, writable: false, enumerable: false, configurable: true });
    }

    // Puts the published names back before another script is loaded.
    function restoreNames() {
        for (let index = 0; index < names.length; index++) place(names[index], values[index]);
    }

    // The class and everything that its instances inherit from it.
    function freezeClass(type) {
        freeze(type.prototype);
        return freeze(type);
    }

    const NativeProxy = Proxy;
    const NativeTypeError = TypeError;

    // The class with an error of its own for a call without `new`, as some documents write it.
    function withoutNew(type, advice) {
        return new NativeProxy(type, {
            __proto__: null,
            apply() {
                throw new NativeTypeError(advice);
            },
        });
    }

    // MARK: texts of events

    const { parse, stringify } = __tributary_native;
    const { stringify: explainedText } = JSON;
    const { isArray } = Array;
    const { keys } = Object;
    const NativeRangeError = RangeError;
    const depthLimit = host("eventDepth");
    // Values that are looked at in something that is nested too deep for the engine. An event has fewer.
    const mostValues = 1 << 15;

    // The text of an event that a script made. When `write` cannot write a value because it is nested too deep, the value loses
    // its deep parts; the host shortens everything else. When a value has no text at all, the scripts' own function writes it
    // again and says why.
    function eventText(value, write) {
        try {
            return write(value);
        } catch (error) {
            if (!(error instanceof NativeRangeError)) return explainedText(value);
            try {
                return stringify(shallow(value));
            } catch {
                throw error;
            }
        }
    }

    // A copy without values that are nested deeper than the host reads.
    function shallow(value) {
        let left = mostValues;
        const copy = (value, level) => {
            if (typeof value !== "object" || value === null) return value;
            if (--left < 0) throw new NativeRangeError("the event is nested too deep and has too many values");
            if (isArray(value)) return level >= depthLimit ? [] : value.map((member) => copy(member, level + 1));
            const object = {};
            if (level >= depthLimit) return object;
            if (typeof value.toJSON === "function") return copy(value.toJSON(), level);
            const names = keys(value);
            for (let index = 0; index < names.length; index++) {
                defineProperty(object, names[index], {
                    value: copy(value[names[index]], level + 1), writable: true, enumerable: true, configurable: true,
                });
            }
            return object;
        };
        return copy(value, 1);
    }

    // The text of JSON without values that are nested deeper than the host reads.
    const shallowText = (text) => stringify(shallow(parse(text)));

    global.__runtime = { eventText, shallowText, host, publish, restoreNames, freezeClass, withoutNew };
})(globalThis);
