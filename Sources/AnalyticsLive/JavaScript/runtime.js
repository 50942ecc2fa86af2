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

    global.__runtime = { host, publish, restoreNames, freezeClass };
})(globalThis);
