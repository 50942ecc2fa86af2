// Runs the plugins: events through the plugins of a stage, and the news of the client to all of them.
//
// The host calls `run` or `notify`. When a budget stops one of those, JavaScript itself learns nothing of it: the host
// then calls `resume`, which switches the plugin off that was at work and goes on with the next one.
(function (runtime) {
    "use strict";

    const { host, entriesFor, listenersFor } = runtime;
    const { isArray } = Array;
    const { parse, stringify } = JSON;
    const toText = String;
    const faultLimit = host("faultLimit");
    const sizeLimit = host("eventBytes");
    const depthLimit = host("eventDepth");
    const textLimit = 2000;

    // What is being done, and how far it is; everything that `resume` needs.
    let job = null;
    let faults = [];

    function fault(entry, error) {
        entry.faults += 1;
        if (entry.faults >= faultLimit) entry.isOff = true;
        const report = { id: entry.id, message: "an exception without a text", isOff: entry.isOff };
        faults.push(report);
        // The thrown value is the plugin's own: its text and its members can throw, too.
        try {
            report.message = toText(error).slice(0, textLimit);
            if (typeof error.line === "number") report.line = error.line;
            if (typeof error.sourceURL === "string") report.file = error.sourceURL;
        } catch {
            return;
        }
    }

    // MARK: events

    function count(letter, text) {
        let found = 0;
        let index = text.indexOf(letter);
        for (; index !== -1 && found <= depthLimit; index = text.indexOf(letter, index + 1)) found += 1;
        return found;
    }

    // Whether the host could not read the text. Looking for brackets is the engine's own work and nearly always enough.
    function isTooDeep(text) {
        if (count("{", text) + count("[", text) <= depthLimit) return false;
        let depth = 0;
        let inText = false;
        for (let index = 0; index < text.length; index++) {
            const letter = text[index];
            if (inText) {
                if (letter === "\\") index += 1;
                else if (letter === '"') inText = false;
            } else if (letter === '"') {
                inText = true;
            } else if (letter === "[" || letter === "{") {
                depth += 1;
                if (depth > depthLimit) return true;
            } else if (letter === "]" || letter === "}") {
                depth -= 1;
            }
        }
        return false;
    }

    // What a plugin returned, as text; throws when it is no event.
    function textOf(result) {
        if (result === undefined) throw new TypeError("the plugin returned nothing; a plugin that drops returns null");
        if (typeof result !== "object" || isArray(result)) throw new TypeError("the plugin returned no event");
        if (result.messageId !== job.messageId) throw new TypeError("the plugin returned another event");
        const text = stringify(result);
        if (text === undefined || text[0] !== "{") throw new TypeError("the plugin returned no event");
        // What was too large before may go on; the host counts exactly.
        if (text.length > sizeLimit && text.length > job.text.length) {
            throw new RangeError("the plugin's event is larger than " + sizeLimit + " bytes");
        }
        if (text !== job.text && isTooDeep(text)) {
            throw new RangeError("the plugin's event is nested deeper than " + depthLimit + " levels");
        }
        return text;
    }

    function step(entry, letter) {
        job.steps += entry.mark + letter;
    }

    // Gives the event to one plugin; returns false when the plugin dropped it. Each gets a copy of its own, made from the
    // text: nothing half done stays, and nothing is shared with it. The text does not say all that a plugin can do to a
    // copy, such as freezing it or putting a getter in, so one that looks unchanged is not handed on either.
    function offer(entry) {
        const copy = job.copy ?? parse(job.text);
        job.copy = null;
        let result, text;
        try {
            result = entry.plugin.execute(copy);
            if (result === null) {
                step(entry, "d");
                return false;
            }
            text = textOf(result);
        } catch (error) {
            fault(entry, error);
            step(entry, "f");
            return true;
        }
        if (text === job.text) {
            step(entry, "u");
        } else {
            step(entry, "c");
            job.changes.push({ entry, before: job.text });
            job.text = text;
        }
        return true;
    }

    function proceedEvent() {
        for (; job.index < job.entries.length; job.index++) {
            const entry = job.entries[job.index];
            if (!entry.isOff && !offer(entry)) break;
        }
        return answer();
    }

    // The steps, each as the plugin's number and a letter, and the event, unless it is as it was.
    function answer() {
        return job.changes.length === 0 ? job.steps : job.steps + "\n" + job.text;
    }

    runtime.run = function (stage, type, text) {
        job = null;
        const entries = entriesFor(stage, type);
        const copy = parse(text);
        // Written once by this engine, so that a difference later on is a plugin's and not one of spelling. For a single
        // plugin the host finds that out for less.
        const own = entries.length > 1 ? stringify(copy) : text;
        const messageId = copy.messageId;
        job = { proceed: proceedEvent, entries, index: 0, steps: "", changes: [], copy, text: own, messageId };
        return proceedEvent();
    };

    // Takes the last change back, because the host cannot use it.
    runtime.retract = function (message) {
        const { entry, before } = job.changes.pop();
        fault(entry, message);
        job.steps = job.steps.replace(" " + entry.id + "c", " " + entry.id + "f");
        job.text = before;
        return answer();
    };

    // MARK: news

    function proceedNotice() {
        for (; job.index < job.entries.length; job.index++) {
            const entry = job.entries[job.index];
            if (entry.isOff) continue;
            try {
                tell(entry.plugin);
                step(entry, "u");
            } catch (error) {
                fault(entry, error);
                step(entry, "f");
            }
        }
        return job.steps;
    }

    function tell(plugin) {
        switch (job.notice) {
            case "update": return plugin.update(parse(job.settings), job.isInitial);
            case "reset": return plugin.reset();
            default: return plugin.flush();
        }
    }

    runtime.notify = function (notice, settings, isInitial) {
        job = null;
        job = {
            proceed: proceedNotice, entries: listenersFor(notice), index: 0, steps: "", changes: [], notice, settings,
            isInitial,
        };
        return proceedNotice();
    };

    // MARK: breaches and faults

    // Switches the plugin off that was at work. Returns what is known so far; undefined when none was at work.
    runtime.stop = function () {
        const entry = job?.entries[job.index];
        if (entry === undefined) return undefined;
        entry.isOff = true;
        faults.push({ id: entry.id, message: "", isOff: true });
        step(entry, "f");
        job.copy = null;
        job.index += 1;
        return answer();
    };

    runtime.resume = function () {
        return runtime.stop() === undefined ? undefined : job.proceed();
    };

    runtime.takeFaults = function () {
        const taken = faults;
        faults = [];
        return stringify(taken);
    };
})(globalThis.__runtime);
