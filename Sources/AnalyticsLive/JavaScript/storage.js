// `storage`: values that outlive the app, kept by the host as JSON.
(function (runtime) {
    "use strict";

    const { host, publish } = runtime;
    const { freeze } = Object;
    const { parse, stringify } = JSON;

    function checked(key) {
        if (typeof key !== "string") throw new TypeError("the key of a stored value must be a string");
        return key;
    }

    const storage = {
        // The stored value; undefined when there is none.
        getValue(key) {
            const text = host("getValue", checked(key));
            return text === undefined ? undefined : parse(text);
        },

        // Stores what JSON can hold; undefined removes the value, null is stored.
        setValue(key, value) {
            const text = stringify(value);
            if (text !== undefined) host("setValue", checked(key), text);
            else if (value === undefined) host("removeValue", checked(key));
            else throw new TypeError("the value cannot be stored");
        },

        removeValue(key) {
            host("removeValue", checked(key));
        },
    };

    publish("storage", freeze(storage));
})(globalThis.__runtime);
