// Arrays, sets, maps and functions that take a whole list: guards check lengths before a built-in function reads them.
(function (global) {
    "use strict";

    const limits = global.__limits;
    const { apply, becomeConstructor, charge, getOwnPropertyDescriptor, lengthOf, most, ownKeys, replace } = limits;
    const { replaceConstructor } = limits;
    const { min, trunc } = Math;
    const { isConcatSpreadable, iterator } = Symbol;

    // A proxy can give another length each time, so none is taken for a list.
    const proxies = new WeakSet();
    const isKnownProxy = proxies.has.bind(proxies);
    const addProxy = proxies.add.bind(proxies);
    const NativeProxy = Proxy;
    const { revocable } = Proxy;
    let hasProxies = false;

    function note(proxy) {
        hasProxies = true;
        addProxy(proxy);
        return proxy;
    }

    function ProxyWrapper(target, handler) {
        if (new.target === undefined) throw new TypeError("calling Proxy constructor without new is invalid");
        return note(new NativeProxy(target, handler));
    }
    becomeConstructor(global, "Proxy", ProxyWrapper);
    replace(Proxy, "revocable", {
        revocable(target, handler) {
            const made = revocable(target, handler);
            note(made.proxy);
            return made;
        },
    }.revocable);

    const { isArray } = Array;
    const lists = Array.prototype;
    const natives = {};
    for (const name of ownKeys(lists)) natives[name] = lists[name];

    // Whether the length is a plain number that does not change while a built-in function is at work.
    function isList(value) {
        return isArray(value) && !(hasProxies && isKnownProxy(value));
    }

    function isPlainList(value) {
        if (isList(value)) return true;
        if (value === undefined || value === null || hasProxies && isKnownProxy(value)) return false;
        const length = getOwnPropertyDescriptor(value, "length");
        return length !== undefined && typeof length.value === "number";
    }

    // A value that a reading function can read: the list itself, or a copy of something like a list.
    function readable(list, name) {
        if (isPlainList(list)) {
            charge(list.length, name);
            return list;
        }
        if (list === undefined || list === null) throw new TypeError(name + " requires that |this| not be null or undefined");
        const length = lengthOf(list.length);
        charge(length, name);
        const copy = [];
        for (let index = 0; index < length; index++) {
            if (--__tributary_left <= 0) __tributary_look();
            if (index in list) copy[index] = list[index];
        }
        copy.length = length;
        return copy;
    }

    const readers = [
        "entries", "every", "filter", "find", "findIndex", "findLast", "findLastIndex", "forEach", "keys", "map", "reduce",
        "reduceRight", "slice", "some", "toLocaleString", "toReversed", "toSpliced", "with",
    ];
    for (const name of readers) {
        const native = lists[name];
        replace(lists, name, {
            read() {
                return apply(native, readable(this, name), arguments);
            },
        }.read);
    }

    // To compare one long text or big integer with each element can take a minute.
    const mostCompared = 1 << 24;

    function isLongToCompare(sought, list) {
        return typeof sought === "bigint" || typeof sought === "string" && sought.length * list.length > mostCompared;
    }

    // Where in a list a text or a big integer is; -1 when it is nowhere.
    function placeOf(sought, list, from, isBackwards) {
        let index = trunc(+from) || 0;
        if (index < 0) index += list.length;
        if (isBackwards) index = min(index, list.length - 1);
        else if (index < 0) index = 0;
        for (; index >= 0 && index < list.length; isBackwards ? index-- : index++) {
            if ((__tributary_left -= 1 + (sought.length >> 8 || 1)) <= 0) __tributary_look();
            if (list[index] === sought) return index;
        }
        return -1;
    }

    for (const name of ["includes", "indexOf", "lastIndexOf"]) {
        const native = lists[name];
        replace(lists, name, {
            seek(sought, from) {
                const list = readable(this, name);
                if (!isLongToCompare(sought, list)) return apply(native, list, arguments);
                const isBackwards = name === "lastIndexOf";
                const start = arguments.length > 1 ? from : isBackwards ? list.length - 1 : 0;
                const place = placeOf(sought, list, start, isBackwards);
                return name === "includes" ? place >= 0 : place;
            },
        }.seek);
    }

    // Functions that change the list.
    function changeable(list, name) {
        if (!isPlainList(list)) throw new TypeError("Array.prototype." + name + " is for arrays and objects with a length");
        charge(list.length, name);
        return list;
    }

    for (const name of ["copyWithin", "fill", "reverse", "shift", "splice", "unshift"]) {
        const native = lists[name];
        replace(lists, name, {
            change() {
                return apply(native, changeable(this, name), arguments);
            },
        }.change);
    }

    replace(lists, "concat", {
        concat() {
            const list = isArray(this) ? readable(this, "concat") : this;
            let length = isArray(list) ? list.length : 1;
            for (let index = 0; index < arguments.length; index++) {
                const item = arguments[index];
                if (typeof item !== "object" || item === null) continue;
                if (isArray(item) || item[isConcatSpreadable]) arguments[index] = readable(item, "concat");
                length += lengthOf(arguments[index].length);
            }
            charge(length, "concat");
            return apply(natives.concat, list, arguments);
        },
    }.concat);

    // The lists that `join` is at work on: one that contains itself is empty there.
    let joining = [];

    replace(lists, "join", {
        join(separator) {
            const list = readable(this, "join");
            const between = separator === undefined ? "," : `${separator}`;
            if (apply(natives.includes, joining, [this])) return "";
            const outer = joining;
            joining = [...joining, this];
            try {
                let length = between.length * list.length;
                const texts = [];
                for (let index = 0; index < list.length; index++) {
                    const item = list[index];
                    const text = typeof item === "string" ? item : item === undefined || item === null ? "" : `${item}`;
                    texts[index] = text;
                    length += text.length;
                    if (length > most || --__tributary_left <= 0) charge(length, "join");
                }
                charge(length, "join");
                return apply(natives.join, texts, [between]);
            } finally {
                joining = outer;
            }
        },
    }.join);

    function flatten(list, depth, into) {
        for (let index = 0; index < list.length; index++) {
            if (--__tributary_left <= 0) __tributary_look();
            if (!(index in list)) continue;
            const item = list[index];
            if (depth > 0 && isArray(item)) {
                flatten(readable(item, "flat"), depth - 1, into);
            } else {
                charge(into.length + 1, "flat");
                into[into.length] = item;
            }
        }
        return into;
    }

    replace(lists, "flat", {
        flat(depth) {
            return flatten(readable(this, "flat"), depth === undefined ? 1 : +depth || 0, []);
        },
    }.flat);
    replace(lists, "flatMap", {
        flatMap(callback, self) {
            return flatten(apply(natives.map, readable(this, "flatMap"), [callback, self]), 1, []);
        },
    }.flatMap);

    // The order of texts, as `sort` has it. Long texts count.
    function byText(left, right) {
        const one = typeof left === "string" ? left : `${left}`;
        const other = typeof right === "string" ? right : `${right}`;
        charge(min(one.length, other.length), "sort");
        return one < other ? -1 : one > other ? 1 : 0;
    }

    // So few short texts are sorted faster than counted.
    function areFewTexts(list) {
        if (list.length > 1000) return false;
        let length = 0;
        for (let index = 0; index < list.length; index++) {
            const item = list[index];
            if (typeof item === "string") length += item.length;
            else if (typeof item !== "number") return false;
        }
        return length < 1 << 16;
    }

    function sorter(native, comparable) {
        return {
            sort(order) {
                const list = comparable(this, "sort");
                if (order === undefined) return apply(native, list, areFewTexts(list) ? [] : [byText]);
                if (typeof order !== "function" || list.length <= 1000) return apply(native, list, [order]);
                return apply(native, list, [(left, right) => {
                    if (--__tributary_left <= 0) __tributary_look();
                    return order(left, right);
                }]);
            },
        }.sort;
    }
    replace(lists, "sort", sorter(lists.sort, changeable));
    if (lists.toSorted !== undefined) replace(lists, "toSorted", sorter(lists.toSorted, readable));

    // The values that `from` and others take: a list, anything with an iterator, or something with a length. Calls back for each.
    function forEachOf(source, name, take) {
        if (source === undefined || source === null) throw new TypeError(name + " requires an array-like object or an iterable");
        let count = 0;
        if (source[iterator] !== undefined && source[iterator] !== null) {
            for (const item of source) {
                charge(++count, name);
                if (--__tributary_left <= 0) __tributary_look();
                take(item, count - 1);
            }
            return count;
        }
        const list = readable(source, name);
        for (; count < list.length; count++) {
            if (--__tributary_left <= 0) __tributary_look();
            take(list[count], count);
        }
        return count;
    }

    // The elements of something, when no built-in function may read it: a list that a built-in function can read.
    function elements(source, name) {
        if (isList(source)) {
            charge(source.length, name);
            return source;
        }
        const items = [];
        forEachOf(source, name, (item) => { items[items.length] = item; });
        return items;
    }

    const ArrayWrapper = replaceConstructor(global, "Array", (given) => {
        if (given.length === 1 && typeof given[0] === "number") charge(given[0], "Array");
    }, null);
    replace(Array, "from", {
        from(source, map, self) {
            if (map !== undefined && typeof map !== "function") {
                throw new TypeError("Array.from requires that the second argument, when provided, be a function");
            }
            const made = typeof this === "function" && this !== ArrayWrapper ? new this() : [];
            made.length = forEachOf(source, "Array.from", (item, index) => {
                made[index] = map === undefined ? item : apply(map, self, [item, index]);
            });
            return made;
        },
    }.from);

    // Constructors and functions that read a whole list.
    function takeElements(given, name) {
        if (given.length > 0 && given[0] !== undefined && given[0] !== null) given[0] = elements(given[0], name);
    }
    for (const name of ["Map", "Set", "WeakMap", "WeakSet"]) {
        replaceConstructor(global, name, (given) => takeElements(given, name));
    }
    for (const [owner, name] of [[Object, "fromEntries"], [Object, "groupBy"], [Map, "groupBy"], [Math, "sumPrecise"]]) {
        const native = owner[name];
        replace(owner, name, {
            readAll(source) {
                arguments[0] = elements(source, name);
                return apply(native, this, arguments);
            },
        }.readAll);
    }
    for (const type of [Map, Set]) {
        const native = type.prototype.forEach;
        const size = getOwnPropertyDescriptor(type.prototype, "size").get;
        replace(type.prototype, "forEach", {
            forEach() {
                charge(apply(size, this, []), "forEach");
                return apply(native, this, arguments);
            },
        }.forEach);
    }

    for (const name of ["all", "allSettled", "any", "race"]) {
        const native = Promise[name];
        const { reject } = Promise;
        replace(Promise, name, {
            readAll(source) {
                try {
                    takeElements(arguments, name);
                } catch (error) {
                    return apply(reject, this, [error]);
                }
                return apply(native, this, arguments);
            },
        }.readAll);
    }

    limits.readable = readable;
    limits.elements = elements;
})(globalThis);
