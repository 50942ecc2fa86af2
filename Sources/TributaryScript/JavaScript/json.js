// JSON within limits: an object that contains the same part very often is small, but its text is not.

// The engine's own functions, for our scripts: those look at lengths themselves, and each wrapper would cost an event time.
let __tributary_native;

(function (global) {
    "use strict";

    const { apply, charge, most, replace } = global.__limits;
    const { parse, stringify } = JSON;
    const { isArray } = Array;
    const quiet = __tributary_quiet;
    __tributary_native = { parse, stringify, indexOf: global.__limits.indexOf };
    const NativeTypeError = TypeError;

    replace(JSON, "parse", {
        parse(text) {
            const given = typeof text === "string" ? text : `${text}`;
            charge(given.length, "JSON.parse");
            arguments[0] = given;
            return apply(parse, this, arguments);
        },
    }.parse);

    // The rest of the room when the text of a value is taken off; less than zero when it has none.
    function roomAfter(value, room, depth, indent) {
        if (depth < 0) return -1;
        for (const key in value) {
            const member = value[key];
            room -= 1 + indent;
            if (typeof member === "string") room -= member.length + key.length;
            else if (typeof member === "object" && member !== null) room = roomAfter(member, room - key.length, depth - 1, indent && indent + 10);
            else room -= key.length;
            if (room < 0) return -1;
        }
        return room;
    }

    // While a built-in function reads a value, a function of a script would be a getter or a `toJSON`. It could make
    // a value larger than measured, so none can run.
    function quietly(work) {
        const left = __tributary_left;
        __tributary_left = 0;
        quiet.isOn = true;
        try {
            return work();
        } catch {
            return undefined;
        } finally {
            quiet.isOn = false;
            __tributary_left = left;
        }
    }

    // So much is measured without a look at the budget.
    const mostQuiet = 1 << 16;
    const usualDepth = 1000;

    // Calls a function for each part, so that all are counted.
    function countedText(value, replacer, space) {
        let length = 0;
        const text = stringify(value, function (key, member) {
            const given = typeof replacer === "function" ? apply(replacer, this, [key, member]) : member;
            length += 1 + key.length + (typeof given === "string" ? given.length : 0);
            if (length > most || --__tributary_left <= 0) charge(length, "JSON.stringify");
            return given;
        });
        const isMore = text !== undefined && (space !== undefined || isArray(replacer));
        return isMore ? plainText(parse(text), isArray(replacer) ? replacer : undefined, space) : text;
    }

    // Of a value without functions.
    function plainText(value, replacer, space) {
        const room = roomAfter(value, most, usualDepth * 10, space === undefined ? 0 : 10);
        if (room < 0) throw new RangeError("JSON.stringify: the length is limited to " + most + " for scripts");
        return stringify(value, replacer, space);
    }

    replace(JSON, "stringify", {
        stringify(value, replacer, space) {
            if (typeof value !== "object" || value === null) return stringify(value, replacer, space);
            if (typeof replacer !== "function") {
                const text = quietly(() => roomAfter(value, mostQuiet, usualDepth, space === undefined ? 0 : 10) < 0
                    ? undefined
                    : stringify(value, replacer, space));
                if (text !== undefined) return text;
            }
            try {
                return countedText(value, replacer, space);
            } catch (error) {
                if (error instanceof NativeTypeError && __tributary_left > 0) nameCulprit(error, value);
                throw error;
            }
        },
    }.stringify);

    // MARK: Which member has no text

    const { message: nothing } = {};
    const { keys } = Object;

    // Says in the message which member it is that JSON cannot hold.
    function nameCulprit(error, value) {
        const found = culprit(value, "", [], { left: 10000 });
        if (found !== undefined) error.message = found;
    }

    function culprit(value, path, above, search) {
        if (typeof value === "bigint") return (path || "the value") + " is a BigInt, which JSON cannot hold";
        if (typeof value !== "object" || value === null) return nothing;
        if (above.includes(value)) return path + " contains itself, which JSON cannot hold";
        for (const key of keys(value)) {
            if (--search.left < 0) return nothing;
            if (--__tributary_left <= 0) __tributary_look();
            const inner = isArray(value) ? path + "[" + key + "]" : path === "" ? key : path + "." + key;
            const found = culprit(value[key], inner, [...above, value], search);
            if (found !== undefined) return found;
        }
        return nothing;
    }
})(globalThis);
