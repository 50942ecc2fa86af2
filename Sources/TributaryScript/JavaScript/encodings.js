// Small functions that scripts know from browsers: texts as bytes and as base 64, parts of a URL's query, copies, ids.
(function (global) {
    "use strict";

    const newId = global.__newId;
    delete global.__newId;
    const { apply } = Reflect;
    const { defineProperty, freeze, getPrototypeOf, keys } = Object;
    const { isArray } = Array;
    const { isView } = ArrayBuffer;
    const { fromCharCode } = String;
    const { decodeURIComponent, encodeURIComponent, escape, unescape } = global;
    const Bytes = Uint8Array;
    const Buffer = ArrayBuffer;
    const { iterator, toStringTag } = Symbol;
    const NativeDate = Date, NativeExpression = RegExp, NativeMap = Map, NativeSet = Set, NativeError = Error;

    // One step of a loop.
    function step() {
        if (--__tributary_left <= 0) __tributary_look();
    }

    function publish(name, value) {
        if (typeof value === "function") freeze(value.prototype);
        defineProperty(global, name, { value: freeze(value), writable: false, enumerable: false, configurable: true });
    }

    function publishFunction(functions) {
        for (const name of keys(functions)) publish(name, functions[name]);
    }

    class InvalidCharacterError extends Error {
        get name() { return "InvalidCharacterError"; }
    }

    // MARK: Base 64

    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const valueOf = new Map();
    for (let index = 0; index < digits.length; index++) valueOf.set(digits[index], index);

    function toBase64(text) {
        let made = "";
        for (let index = 0; index < text.length; index += 3) {
            step();
            const first = text.charCodeAt(index), second = text.charCodeAt(index + 1), third = text.charCodeAt(index + 2);
            if (first > 255 || second > 255 || third > 255) {
                throw new InvalidCharacterError("btoa takes characters up to U+00FF; use TextEncoder for others");
            }
            made += digits[first >> 2] + digits[(first & 3) << 4 | second >> 4]
                + (index + 1 < text.length ? digits[(second & 15) << 2 | third >> 6] : "=")
                + (index + 2 < text.length ? digits[third & 63] : "=");
        }
        return made;
    }

    function fromBase64(given) {
        let text = given.replace(/[\t\n\f\r ]/g, "");
        if (text.length % 4 === 0) text = text.replace(/==?$/, "");
        if (text.length % 4 === 1) throw new InvalidCharacterError("the text is not base 64");
        let made = "";
        let bits = 0, count = 0;
        for (let index = 0; index < text.length; index++) {
            step();
            const value = valueOf.get(text[index]);
            if (value === undefined) throw new InvalidCharacterError("the text is not base 64");
            bits = bits << 6 | value;
            count += 6;
            if (count >= 8) {
                count -= 8;
                made += fromCharCode(bits >> count & 255);
                bits &= (1 << count) - 1;
            }
        }
        return made;
    }

    publishFunction({
        atob(text) { return fromBase64(`${text}`); },
        btoa(text) { return toBase64(`${text}`); },
    });

    // MARK: UTF-8

    function utf8(text) {
        return unescape(encodeURIComponent(text.toWellFormed()));
    }

    // The character that begins at a place, and how many bytes it takes; U+FFFD for bytes that are none.
    function decode(bytes, index) {
        const first = bytes[index];
        const count = first < 0x80 ? 1 : first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : first >= 0xF0 && first < 0xF5 ? 4 : 0;
        if (count === 0) return [0xFFFD, 1, false];
        let code = count === 1 ? first : first & (0xFF >> count + 1);
        for (let place = 1; place < count; place++) {
            const next = bytes[index + place];
            const least = place > 1 ? 0x80 : first === 0xE0 ? 0xA0 : first === 0xF0 ? 0x90 : 0x80;
            const most = place > 1 ? 0xBF : first === 0xED ? 0x9F : first === 0xF4 ? 0x8F : 0xBF;
            if (!(next >= least && next <= most)) return [0xFFFD, place, false];
            code = code << 6 | next & 0x3F;
        }
        return [code, count, true];
    }

    class TextEncoder {
        get encoding() { return "utf-8"; }

        encode(text) {
            const encoded = utf8(text === undefined ? "" : `${text}`);
            const bytes = new Bytes(encoded.length);
            for (let index = 0; index < encoded.length; index++) {
                step();
                bytes[index] = encoded.charCodeAt(index);
            }
            return bytes;
        }
    }

    class TextDecoder {
        #isFatal;

        constructor(label, options) {
            const name = label === undefined ? "utf-8" : `${label}`.toLowerCase();
            if (name !== "utf-8" && name !== "utf8") throw new RangeError("live plugins have no encoding " + name + ", only utf-8");
            this.#isFatal = options?.fatal === true;
        }

        get encoding() { return "utf-8"; }
        get fatal() { return this.#isFatal; }

        decode(source) {
            if (source === undefined) return "";
            const bytes = isView(source) ? new Bytes(source.buffer, source.byteOffset, source.byteLength) : new Bytes(source);
            let text = "";
            let index = bytes[0] === 0xEF && bytes[1] === 0xBB && bytes[2] === 0xBF ? 3 : 0;
            while (index < bytes.length) {
                step();
                const [code, count, isValid] = decode(bytes, index);
                if (!isValid && this.#isFatal) throw new TypeError("the bytes are not UTF-8");
                text += code > 0xFFFF ? fromCharCode(0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code & 0x3FF)) : fromCharCode(code);
                index += count;
            }
            return text;
        }
    }

    publish("TextEncoder", TextEncoder);
    publish("TextDecoder", TextDecoder);

    // MARK: The query of a URL

    const plain = /^[A-Za-z0-9*._-]*$/;

    function encodeForm(text) {
        if (plain.test(text)) return text;
        return encodeURIComponent(text.toWellFormed()).replace(/[!'()~]|%20/g,
            (found) => found === "%20" ? "+" : "%" + found.charCodeAt(0).toString(16).toUpperCase());
    }

    function decodeForm(text) {
        const spaced = text.replaceAll("+", " ");
        if (!spaced.includes("%")) return spaced;
        try {
            return decodeURIComponent(spaced);
        } catch {
            // Single bytes, whether they are UTF-8 or not.
            const bytes = utf8(spaced).replace(/%([0-9A-Fa-f]{2})/g, (found, digits) => fromCharCode(parseInt(digits, 16)));
            const list = new Bytes(bytes.length);
            for (let index = 0; index < bytes.length; index++) list[index] = bytes.charCodeAt(index);
            return new TextDecoder().decode(list);
        }
    }

    class URLSearchParams {
        #pairs = [];

        constructor(source) {
            if (source === undefined) return;
            if (typeof source === "object" && source !== null) {
                if (source[iterator] !== undefined) {
                    for (const [key, value] of source) this.append(key, value);
                } else {
                    for (const key of keys(source)) this.append(key, source[key]);
                }
                return;
            }
            const text = `${source}`;
            for (const part of (text[0] === "?" ? text.slice(1) : text).split("&")) {
                step();
                if (part === "") continue;
                const end = part.indexOf("=");
                const key = end < 0 ? part : part.slice(0, end);
                this.#pairs.push([decodeForm(key), end < 0 ? "" : decodeForm(part.slice(end + 1))]);
            }
        }

        get size() { return this.#pairs.length; }

        append(key, value) {
            step();
            this.#pairs.push([`${key}`, `${value}`]);
        }

        delete(key, value) {
            const isOther = (pair) => pair[0] !== `${key}` || value !== undefined && pair[1] !== `${value}`;
            this.#pairs = this.#pairs.filter(isOther);
        }

        get(key) {
            const found = this.#pairs.find((pair) => pair[0] === `${key}`);
            return found === undefined ? null : found[1];
        }

        getAll(key) { return this.#pairs.filter((pair) => pair[0] === `${key}`).map((pair) => pair[1]); }

        has(key, value) {
            return this.#pairs.some((pair) => pair[0] === `${key}` && (value === undefined || pair[1] === `${value}`));
        }

        set(key, value) {
            const place = this.#pairs.findIndex((pair) => pair[0] === `${key}`);
            if (place < 0) return this.append(key, value);
            this.#pairs[place][1] = `${value}`;
            this.#pairs = this.#pairs.filter((pair, index) => index <= place || pair[0] !== `${key}`);
        }

        sort() { this.#pairs.sort((left, right) => left[0] < right[0] ? -1 : left[0] > right[0] ? 1 : 0); }
        forEach(callback, self) { for (const [key, value] of this) apply(callback, self, [value, key, this]); }
        entries() { return this.#pairs.map(([key, value]) => [key, value]).values(); }
        keys() { return this.#pairs.map((pair) => pair[0]).values(); }
        values() { return this.#pairs.map((pair) => pair[1]).values(); }
        [iterator]() { return this.entries(); }
        toString() { return this.#pairs.map((pair) => encodeForm(pair[0]) + "=" + encodeForm(pair[1])).join("&"); }
        get [toStringTag]() { return "URLSearchParams"; }
    }

    publish("URLSearchParams", URLSearchParams);

    // MARK: Copies and ids

    class DataCloneError extends Error {
        get name() { return "DataCloneError"; }
    }

    // Copies part after part, without calls inside of calls, so that no depth exhausts the stack.
    function clone(root) {
        const copies = new NativeMap();
        const open = [];
        const copyOf = (value) => {
            if (typeof value !== "object" && typeof value !== "function" && typeof value !== "symbol" || value === null) return value;
            const known = copies.get(value);
            if (known !== undefined) return known;
            const { copy, isOpen } = begun(value);
            copies.set(value, copy);
            if (isOpen) open.push([value, copy]);
            return copy;
        };
        const copy = copyOf(root);
        while (open.length > 0) {
            const [value, copy] = open.pop();
            fill(copy, value, copyOf);
        }
        return copy;
    }

    // The copy of a value, still without its members when it is open.
    function begun(value) {
        step();
        if (typeof value === "function" || typeof value === "symbol") {
            throw new DataCloneError(typeof value === "symbol" ? "a symbol cannot be copied" : "the function " + value.name + " cannot be copied");
        }
        if (value instanceof NativeDate) return { copy: new NativeDate(+value) };
        if (value instanceof NativeExpression) return { copy: new NativeExpression(value.source, value.flags) };
        if (value instanceof Buffer) return { copy: value.slice(0) };
        if (isView(value) && value.slice !== undefined) return { copy: value.slice() };
        if (value instanceof NativeMap) return { copy: new NativeMap(), isOpen: true };
        if (value instanceof NativeSet) return { copy: new NativeSet(), isOpen: true };
        if (value instanceof NativeError) {
            const copy = new NativeError(value.message);
            if (typeof value.name === "string") defineProperty(copy, "name", { value: value.name, writable: true, configurable: true });
            return { copy };
        }
        return { copy: isArray(value) ? [] : {}, isOpen: true };
    }

    function fill(copy, value, copyOf) {
        if (value instanceof NativeMap) {
            for (const [key, member] of value) {
                step();
                copy.set(copyOf(key), copyOf(member));
            }
            return;
        }
        if (value instanceof NativeSet) {
            for (const member of value) {
                step();
                copy.add(copyOf(member));
            }
            return;
        }
        if (isArray(value)) copy.length = value.length;
        for (const key of keys(value)) {
            step();
            const member = copyOf(value[key]);
            // An assignment would set the prototype.
            if (key === "__proto__") defineProperty(copy, key, { value: member, writable: true, enumerable: true, configurable: true });
            else copy[key] = member;
        }
    }

    publishFunction({
        structuredClone(value) { return clone(value); },
    });
    publish("crypto", { randomUUID() { return newId(); } });
})(globalThis);
