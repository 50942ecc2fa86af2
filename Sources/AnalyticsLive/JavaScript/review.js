// The calls of a review of a bundle. No device loads this file.
(function (runtime) {
    "use strict";

    const { entries } = runtime;
    const { getOwnPropertyNames, getPrototypeOf } = Object;
    const { parse, stringify } = JSON;
    const NativeProxy = Proxy;
    const base = LivePlugin.prototype;
    const mostInstances = 200;
    const mostUses = 500;

    // MARK: plugins that scripts have made

    const made = [];

    runtime.reviewInstance = function (plugin) {
        if (made.length < mostInstances) made.push(plugin);
    };

    runtime.reviewedInstances = function () {
        return stringify(made.map((plugin) => {
            const entry = entries.find((one) => one.plugin === plugin);
            const { classes, methods } = ancestry(plugin);
            return {
                id: entry?.id, classes, methods, hasDestination: plugin.destination !== null, type: plugin.type,
            };
        }));
    };

    // The names of the classes below LivePlugin, and of the methods that LivePlugin does not have.
    function ancestry(plugin) {
        const classes = [];
        const methods = new Set(getOwnPropertyNames(plugin).filter((name) => typeof plugin[name] === "function"));
        for (let type = getPrototypeOf(plugin); type !== null && type !== base; type = getPrototypeOf(type)) {
            classes.push(String(type.constructor?.name));
            for (const name of getOwnPropertyNames(type)) {
                const { value } = Object.getOwnPropertyDescriptor(type, name);
                if (typeof value === "function") methods.add(name);
            }
        }
        return { classes, methods: [...methods].filter((name) => !(name in base)) };
    }

    // MARK: what scripts look at

    // A stand-in for a value that notes which members are read, written and removed.
    function observed(value, path, note) {
        if (typeof value !== "object" || value === null) return value;
        const at = (key) => [...path, key];
        return new NativeProxy(value, {
            get(target, key) {
                if (typeof key !== "string") return target[key];
                note("read", at(key));
                return observed(target[key], at(key), note);
            },
            has(target, key) {
                if (typeof key === "string") note("read", at(key));
                return key in target;
            },
            set(target, key, member) {
                if (typeof key === "string") note("write", at(key));
                target[key] = member;
                return true;
            },
            deleteProperty(target, key) {
                if (typeof key === "string") note("remove", at(key));
                return delete target[key];
            },
        });
    }

    // Calls a function with an observed value. A thrown value is a result like any other.
    function observe(value, call) {
        const uses = [];
        const known = new Set();
        const note = (kind, path) => {
            const mark = kind + stringify(path);
            if (known.has(mark) || uses.length >= mostUses) return;
            known.add(mark);
            uses.push({ kind, path });
        };
        let outcome = "other";
        try {
            const result = call(observed(value, [], note));
            if (result === null) outcome = "null";
            else if (result === undefined) outcome = "undefined";
            else if (typeof result === "object") outcome = "object";
        } catch {
            outcome = "thrown";
        }
        return stringify({ outcome, uses });
    }

    runtime.probe = function (id, text) {
        const { plugin } = entries[id];
        return observe(parse(text), (event) => plugin.execute(event));
    };

    runtime.probeSignal = function (text) {
        return observe(runtime.shapeSignal(parse(text)), (signal) => processSignal(signal));
    };
})(globalThis.__runtime);
