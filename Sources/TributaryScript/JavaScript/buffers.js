// Buffers and typed arrays: so large a one is not made, and built-in functions count what they go through.
(function (global) {
    "use strict";

    const { apply, builtIns, charge, elements, getOwnPropertyDescriptor, lengthOf, ownKeys, replace } = global.__limits;
    const { replaceConstructor } = global.__limits;
    const { getPrototypeOf } = Object;

    // So many elements of a typed array can be written as text, or sorted.
    const fewest = 1 << 16;
    const TypedArray = getPrototypeOf(Uint8Array);
    const typed = TypedArray.prototype;
    const sizeOf = getOwnPropertyDescriptor(typed, "length").get;
    const { isView } = ArrayBuffer;

    const Buffer = replaceConstructor(global, "ArrayBuffer", (given) => {
        charge(+given[0] || 0, "ArrayBuffer");
        const options = given[1];
        if (typeof options !== "object" || options === null || options.maxByteLength === undefined) return;
        const maxByteLength = +options.maxByteLength || 0;
        charge(maxByteLength, "ArrayBuffer");
        given[1] = { maxByteLength };
    });
    for (const name of ["transfer", "transferToFixedLength"]) {
        const native = ArrayBuffer.prototype[name];
        if (native === undefined) continue;
        replace(ArrayBuffer.prototype, name, {
            transfer(length) {
                if (length !== undefined) charge(arguments[0] = +length || 0, name);
                return apply(native, this, arguments);
            },
        }.transfer);
    }
    for (const name of ownKeys(global)) {
        const type = global[name];
        if (typeof type !== "function" || getPrototypeOf(type) !== TypedArray) continue;
        replaceConstructor(global, name, (given) => {
            const source = given[0];
            if (name === "BigInt64Array" || name === "BigUint64Array") __tributary_slowDown();
            if (typeof source !== "object" || source === null) charge(given[0] = lengthOf(source), name);
            else if (!isView(source) && !(source instanceof Buffer)) given[0] = elements(source, name);
        });
    }
    for (const name of ["join", "sort", "toLocaleString", "toSorted"]) {
        const native = typed[name];
        replace(typed, name, {
            few() {
                if (apply(sizeOf, this, []) > fewest) throw new RangeError(name + ": at most " + fewest + " elements");
                charge(fewest, name);
                return apply(native, this, arguments);
            },
        }.few);
    }
    for (const name of ["getBigInt64", "getBigUint64"]) {
        const native = DataView.prototype[name];
        replace(DataView.prototype, name, {
            get() {
                __tributary_slowDown();
                return apply(native, this, arguments);
            },
        }.get);
    }
    for (const [owner, name] of [[TypedArray, "from"], [typed, "set"]]) {
        const native = owner[name];
        replace(owner, name, {
            take(source) {
                if (!isView(source)) arguments[0] = elements(source, name);
                return apply(native, this, arguments);
            },
        }.take);
    }
    for (const name of ownKeys(typed)) {
        const native = getOwnPropertyDescriptor(typed, name).value;
        if (typeof name !== "string" || name === "constructor" || typeof native !== "function") continue;
        if (["at", "entries", "keys", "values", "toString"].includes(name) || builtIns.has(native)) continue;
        replace(typed, name, {
            count() {
                charge(apply(sizeOf, this, []) || 0, name);
                return apply(native, this, arguments);
            },
        }.count);
    }
})(globalThis);
