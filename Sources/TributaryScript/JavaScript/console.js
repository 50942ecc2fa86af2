// The console. Objects are printed as JSON; whatever cannot be printed must not throw at the caller.
(function (global) {
    "use strict";

    const log = global.__console;
    delete global.__console;
    const { defineProperty, freeze, keys } = Object;
    const { isArray } = Array;
    const { now } = Date;
    const { stringify } = JSON;
    const toText = String;
    const textLimit = 8192;

    function describe(value) {
        if (typeof value === "string") return value;
        if (typeof value === "function") return "function " + value.name;
        if (typeof value !== "object" || value === null) return toText(value);
        if (value instanceof Error) return toText(value);
        const text = stringify(value);
        return text === undefined ? toText(value) : text;
    }

    function line(values) {
        let text = "";
        for (let index = 0; index < values.length && text.length < textLimit; index++) {
            if (index > 0) text += " ";
            try {
                text += describe(values[index]);
            } catch {
                text += "[unprintable]";
            }
        }
        return text;
    }

    // How many groups are open; each moves its lines by two columns.
    let depth = 0;

    function write(level, values) {
        const text = "  ".repeat(depth) + line(values);
        log(level, text.length > textLimit ? text.slice(0, textLimit - 1) + "…" : text);
    }

    // Counts and times by their labels, as many as a script can have.
    const mostLabels = 100;

    // Returns whether the label was known.
    function keep(map, label, value) {
        const isKnown = map.has(label);
        if (isKnown || map.size < mostLabels) map.set(label, value);
        return isKnown;
    }

    function labelOf(value) {
        return value === undefined ? "default" : line([value]);
    }

    const counts = new Map();
    const times = new Map();

    function elapsed(label, values) {
        const start = times.get(label);
        if (start === undefined) write("warn", ["there is no time " + label]);
        else write("log", [label + ": " + (now() - start) + " ms", ...values]);
    }

    // A line for each row: the names of the columns, then the values. A value that is no object has the column `value`.
    function table(rows, columns) {
        if (typeof rows !== "object" || rows === null) return write("log", [rows]);
        const heads = keys(rows).slice(0, mostLabels);
        const cells = heads.map((head) => {
            const row = rows[head];
            return typeof row === "object" && row !== null ? row : { value: row };
        });
        const names = isArray(columns) ? columns : [...new Set(cells.flatMap((row) => keys(row)))].slice(0, mostLabels);
        write("log", ["index | " + names.join(" | ")]);
        for (let index = 0; index < heads.length; index++) {
            const row = cells[index];
            write("log", [heads[index] + " | " + names.map((name) => name in row ? line([row[name]]) : "").join(" | ")]);
        }
    }

    // The calls that led to the script's own, without columns: those are known to the host alone.
    function trace() {
        const { stack } = new Error();
        if (typeof stack !== "string") return "";
        return stack.split("\n").slice(2).map((frame) => frame.replace(/:\d+$/, "")).join("\n");
    }

    const console = {
        debug(...values) { write("debug", values); },
        log(...values) { write("log", values); },
        info(...values) { write("info", values); },
        warn(...values) { write("warn", values); },
        error(...values) { write("error", values); },
        dir(value) { write("log", [value]); },
        table(rows, columns) {
            try {
                table(rows, columns);
            } catch {
                write("log", ["[unprintable]"]);
            }
        },
        assert(condition, ...values) {
            if (!condition) write("error", values.length === 0 ? ["assertion failed"] : ["assertion failed:", ...values]);
        },
        count(label) {
            const name = labelOf(label);
            const count = (counts.get(name) ?? 0) + 1;
            keep(counts, name, count);
            write("log", [name + ": " + count]);
        },
        countReset(label) { counts.delete(labelOf(label)); },
        group(...values) {
            if (values.length > 0) write("log", values);
            if (depth < 20) depth += 1;
        },
        groupCollapsed(...values) { console.group(...values); },
        groupEnd() { if (depth > 0) depth -= 1; },
        time(label) {
            const name = labelOf(label);
            if (keep(times, name, now())) write("warn", ["the time " + name + " begins again"]);
        },
        timeLog(label, ...values) { elapsed(labelOf(label), values); },
        timeEnd(label) {
            const name = labelOf(label);
            elapsed(name, []);
            times.delete(name);
        },
        trace(...values) { write("log", [line(["Trace", ...values]) + "\n" + trace()]); },
    };
    defineProperty(global, "console", { value: freeze(console), writable: false, configurable: true });
})(globalThis);
