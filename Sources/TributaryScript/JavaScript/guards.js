// The first script of every engine: the counter that guards in scripts count down, and what they call when it has run out.
//
// These names are bindings of the global scope and members of no object, and a script that names one of them is refused;
// so no script can read, change or hide them. A script can only call the functions that it reaches, which counts like any guard.
let __tributary_left = 1024;

// How many async functions began since the last look. Each leaves a promise that must still be settled when the script is
// stopped, so the host takes the time for that from the budget.
let __tributary_waiting = 0;

// Whether the running script has used up its budget. The host sets it back when the script has ended.
let __tributary_isOver = false;

// Asks the host how many guards may pass until the next time. Once there are none, each further guard throws without
// asking, because thousands of microtasks can wait to be stopped. It makes its error only once, because a script that
// catches it meets it again in each of its calls.
const __tributary_look = ((ask, stop) => () => {
    __tributary_left = 0;
    if (__tributary_quiet.isOn) throw __tributary_quiet;
    if (__tributary_isOver) throw stop;
    __tributary_left = ask(__tributary_waiting);
    __tributary_waiting = 0;
    if (__tributary_left === 0) {
        __tributary_isOver = true;
        throw stop;
    }
    if (__tributary_isSlow) __tributary_left = 1;
    return false;
})(globalThis.__ask, Object.freeze(new RangeError("the script has used up its budget")));

// While it is on, no function of a script can run: its first guard throws this object.
const __tributary_quiet = { isOn: false };

// The next turns for the loops of one function: fewer when the next look is near.
const __tributary_take = () => {
    const turns = __tributary_isSlow ? 1 : __tributary_left > 64 ? 64 : 32;
    if ((__tributary_left -= turns) <= 0) __tributary_look();
    return turns;
};

// Whether each guard looks at the budget. That begins when scripts get a big integer: one operator can then take a second,
// and no guard can count what it does.
let __tributary_isSlow = false;
const __tributary_slowDown = () => {
    __tributary_isSlow = true;
    if (__tributary_left > 1) __tributary_left = 1;
};

(function (global) {
    "use strict";

    delete global.__ask;
    const texts = global.__guardTexts;
    delete global.__guardTexts;
    const { defineProperty } = Object;
    const { apply } = Reflect;
    const functionText = Function.prototype.toString;

    // For guards inside of `with`, where an object can hide every name: a member of a number is found without one.
    const members = {
        __tributary_guard() {
            if (--__tributary_left <= 0) __tributary_look();
            return false;
        },
    };
    defineProperty(Number.prototype, "__tributary_guard", { value: members.__tributary_guard });

    // The functions that stand in the place of built-in ones, and the names of those. The next scripts fill it.
    const builtIns = new WeakMap();
    const nameOf = builtIns.get.bind(builtIns);
    global.__builtIns = builtIns;

    // The text of a function is its author's; that of a built-in one is the engine's.
    const visible = {
        toString() {
            const builtIn = nameOf(this);
            if (builtIn !== undefined) return "function " + builtIn + "() {\n    [native code]\n}";
            let text = apply(functionText, this, []);
            if (!text.includes("__tributary_")) return text;
            for (let index = 0; index < texts.length; index++) text = text.split(texts[index]).join("");
            return text;
        },
    };
    defineProperty(Function.prototype, "toString", { value: visible.toString });
    builtIns.set(visible.toString, "toString");
})(globalThis);
