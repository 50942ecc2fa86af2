// Built-in functions of texts and big integers that make something large, or that compare a long text very often.
(function (global) {
    "use strict";

    const { apply, becomeConstructor, charge, most, readable, replace } = global.__limits;
    const { match } = Symbol;
    const texts = String.prototype;
    const { indexOf, replace: nativeReplace, replaceAll: nativeReplaceAll, repeat, slice } = texts;

    global.__limits.indexOf = indexOf;

    function textOf(value, name) {
        if (typeof value === "string") return value;
        if (value === undefined || value === null) {
            throw new TypeError("String.prototype." + name + " requires that |this| not be null or undefined");
        }
        return `${value}`;
    }

    // MARK: Functions that make a text longer

    replace(texts, "repeat", {
        repeat(count) {
            const text = textOf(this, "repeat");
            const times = +count || 0;
            charge(text.length * times, "repeat");
            return apply(repeat, text, [times]);
        },
    }.repeat);

    for (const name of ["padStart", "padEnd"]) {
        const native = texts[name];
        replace(texts, name, {
            pad(length) {
                charge(arguments[0] = +length || 0, name);
                return apply(native, this, arguments);
            },
        }.pad);
    }

    replace(String, "raw", {
        raw(strings, ...values) {
            const parts = readable(strings.raw, "raw");
            let made = "";
            for (let index = 0; index < parts.length; index++) {
                made += `${parts[index]}`;
                if (index + 1 < parts.length && index < values.length) made += `${values[index]}`;
                if (made.length > most || --__tributary_left <= 0) charge(made.length, "raw");
            }
            return made;
        },
    }.raw);

    // A replacement as the language describes it, for one match: what a function in its place would be called with.
    function expand(template, found) {
        const hasGroups = typeof found[found.length - 1] !== "string";
        const end = found.length - (hasGroups ? 3 : 2);
        const position = found[end];
        const text = found[end + 1];
        const captured = (digits) => digits > 0 && digits < end;
        let made = "";
        let index = 0;
        for (;;) {
            if (--__tributary_left <= 0) __tributary_look();
            const dollar = apply(indexOf, template, ["$", index]);
            if (dollar === -1) return made + apply(slice, template, [index]);
            made += apply(slice, template, [index, dollar]);
            const sign = template[dollar + 1];
            const isDigit = sign >= "0" && sign <= "9";
            const next = template[dollar + 2];
            index = dollar + 2;
            if (sign === "$") {
                made += "$";
            } else if (sign === "&") {
                made += found[0];
            } else if (sign === "`") {
                made += apply(slice, text, [0, position]);
            } else if (sign === "'") {
                made += apply(slice, text, [position + found[0].length]);
            } else if (isDigit && next >= "0" && next <= "9" && captured(+(sign + next))) {
                made += found[+(sign + next)] ?? "";
                index += 1;
            } else if (isDigit && captured(+sign)) {
                made += found[+sign] ?? "";
            } else if (sign === "<" && hasGroups && apply(indexOf, template, [">", index]) !== -1) {
                const close = apply(indexOf, template, [">", index]);
                made += found[end + 2][apply(slice, template, [index, close])] ?? "";
                index = close + 1;
            } else {
                made += "$";
                index = dollar + 1;
            }
        }
    }

    // Counts what replacements add to a text.
    function counted(replacement, name) {
        let length = 0;
        return (...found) => {
            const text = typeof replacement === "string"
                ? expand(replacement, found)
                : `${apply(replacement, undefined, found)}`;
            length += text.length;
            if (length > most || --__tributary_left <= 0) charge(length, name);
            return text;
        };
    }

    function replacer(native, name) {
        return {
            replace(pattern, replacement) {
                if (this === undefined || this === null) return apply(native, this, [pattern, replacement]);
                const text = textOf(this, name);
                const sought = isExpression(pattern) ? pattern : `${pattern}`;
                if (typeof sought === "string") compare(text, sought, name);
                else charge(text.length, name);
                if (typeof replacement === "function") return apply(native, text, [sought, counted(replacement, name)]);
                const template = `${replacement}`;
                const grows = apply(indexOf, template, ["$"]) === -1 ? template.length : template.length * text.length;
                const isSmall = (text.length + 1) * grows <= most;
                return apply(native, text, [sought, isSmall ? template : counted(template, name)]);
            },
        }.replace;
    }
    replace(texts, "replace", replacer(nativeReplace, "replace"));
    replace(texts, "replaceAll", replacer(nativeReplaceAll, "replaceAll"));

    function isExpression(value) {
        return typeof value === "object" && value !== null && value[match] !== undefined;
    }

    // MARK: Functions that compare

    // A text that looks like the sought text nearly everywhere takes the product of both lengths.
    const mostComparisons = 1 << 28;

    function compare(text, sought, name) {
        if (text.length * sought.length > mostComparisons) {
            throw new RangeError(name + ": a text of " + sought.length + " characters is sought in one of " + text.length);
        }
        charge(text.length, name);
    }

    for (const name of ["includes", "indexOf", "lastIndexOf", "split"]) {
        const native = texts[name];
        replace(texts, name, {
            seek(sought) {
                if (this === undefined || this === null) return apply(native, this, arguments);
                const text = textOf(this, name);
                if (arguments.length === 0 || isExpression(sought)) {
                    charge(text.length, name);
                } else if (sought !== undefined || name !== "split") {
                    compare(text, arguments[0] = `${sought}`, name);
                }
                return apply(native, text, arguments);
            },
        }.seek);
    }

    // MARK: Big integers

    const NativeBigInt = BigInt;
    const mostDigits = 10000;

    becomeConstructor(global, "BigInt", {
        BigInt(value) {
            const given = typeof value === "object" && value !== null ? `${value}` : value;
            if (typeof given === "string" && given.length > mostDigits) {
                throw new RangeError("BigInt: scripts can read at most " + mostDigits + " digits");
            }
            __tributary_slowDown();
            return NativeBigInt(given);
        },
    }.BigInt);
})(globalThis);
