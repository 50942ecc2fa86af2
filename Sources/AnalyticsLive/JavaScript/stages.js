// Runs the plugins: events through the plugins of a stage, and the news of the client to all of them.
//
// The host calls `run` or `notify`. When a budget stops one of those, JavaScript itself learns nothing of it: the host
// then calls `resume`, which switches the plugin off that was at work and goes on with the next one.
(function (runtime) {
    "use strict";

    const { eventText, host, lists, listenersFor, shallowText, updateType } = runtime;
    const { isArray } = Array;
    const { parse, stringify } = __tributary_native;
    const toText = String;
    const { encodeURIComponent, unescape } = globalThis;
    const faultLimit = host("faultLimit");
    const sizeLimit = host("eventBytes");
    const textLimit = 2000;

    // The current work, and how far it is; everything that `resume` needs.
    let job = null;
    let faults = [];

    function fault(entry, error) {
        const report = { id: entry.id, message: "an exception without a text", isOff: false };
        // The thrown value is the plugin's own: its text and its members can throw, too.
        try {
            report.message = toText(error).slice(0, textLimit);
            if (typeof error.line === "number") report.line = error.line;
            if (typeof error.column === "number") report.column = error.column;
            if (typeof error.sourceURL === "string") report.file = error.sourceURL;
            if (typeof error.stack === "string") report.stack = error.stack.slice(0, textLimit);
            if (report.message === "[object Object]") report.message = stringify(error).slice(0, textLimit);
        } catch {
            // The known facts must do.
        }
        requireTime();
        entry.faults += 1;
        if (entry.faults >= faultLimit) entry.isOff = true;
        report.isOff = entry.isOff;
        faults.push(report);
    }

    // Throws when a guard has ended the plugin, even when the plugin caught the error. The host then calls `resume`.
    function requireTime() {
        if (__tributary_left <= 0 && host("hasToStop")) throw new RangeError("the plugin has used up its budget");
    }

    // MARK: promises

    // A method may return a promise. The engine does the rest when the host's call ends; then the host asks again.
    const { apply } = Reflect;
    const { then } = Promise.prototype;
    const NativePromise = Promise;

    function isPromise(value) {
        return typeof value === "object" && value !== null && value instanceof NativePromise;
    }

    // Notes how a promise ends.
    function waitFor(promise) {
        const waiting = { isSettled: false, isKept: false, value: undefined };
        const settle = (isKept) => (value) => {
            waiting.isSettled = true;
            waiting.isKept = isKept;
            waiting.value = value;
        };
        apply(then, promise, [settle(true), settle(false)]);
        return waiting;
    }

    // How it ended. Nothing comes from outside, so a promise that is not settled by now never will be.
    function settled({ isSettled, isKept, value }) {
        if (!isSettled) {
            throw new Error("it waits for something that never comes: scripts have no timers, no network and no files");
        }
        if (!isKept) throw value;
        return value;
    }

    // The result of the plugin at work.
    function awaited() {
        const { waiting } = job;
        job.waiting = null;
        return settled(waiting);
    }

    runtime.proceedAwaited = () => job.proceed();
    runtime.isPromise = isPromise;
    runtime.waitFor = waitFor;
    runtime.settled = settled;

    // MARK: events

    // An event that was too large before may go on.
    function isTooLarge(text, before) {
        const known = byteCount(before);
        const limit = known > sizeLimit ? known : sizeLimit;
        return text.length > limit || byteCount(text) > limit;
    }

    // As UTF-8; the engine's own functions count faster than a loop. `stringify` leaves no lone surrogates.
    function byteCount(text) {
        return unescape(encodeURIComponent(text)).length;
    }

    // Throws when what a plugin returned instead of the object that it was given is no event.
    function requireEvent(result) {
        if (result === undefined) throw new TypeError("the plugin returned nothing; a plugin that drops returns null");
        if (typeof result !== "object" || isArray(result)) throw new TypeError("the plugin returned no event");
    }

    // The text that goes on. Throws when the host could not use it. The host itself leaves out values that are nested too deep.
    function usable(text, before) {
        if (text === undefined || text[0] !== "{") throw new TypeError("the plugin returned no event");
        // No character takes more than three bytes in UTF-8.
        if (text.length * 3 <= sizeLimit || !isTooLarge(text, before)) return text;
        const shorter = shallowText(text);
        if (isTooLarge(shorter, before)) throw new RangeError("the plugin's event is larger than " + sizeLimit + " bytes");
        return shorter;
    }

    // Gives the event to the plugins, until one drops it. Each gets a copy of its own, made from the text: nothing half
    // done stays, and nothing is shared with it. The text does not say all that a plugin can do to a copy, such as
    // freezing it or putting a getter in, so one that looks unchanged is not handed on either.
    //
    // In one function, because for an interpreter that has just slept each further one costs half a microsecond.
    function proceedEvent() {
        const { entries, messageId, isTrack } = job;
        for (; job.index < entries.length; job.index++) {
            const entry = entries[job.index];
            entry.before = null;
            if (entry.isOff) continue;
            const { plugin } = entry;
            const before = job.text;
            let text;
            try {
                let result;
                let copy = null;
                if (job.waiting === null) {
                    copy = job.copy ?? parse(before);
                    job.copy = null;
                    result = isTrack && entry.isPlain ? plugin.track(copy) : plugin.execute(copy);
                    if (result !== copy && isPromise(result)) {
                        job.waiting = waitFor(result);
                        return null;
                    }
                } else {
                    result = awaited();
                }
                if (__tributary_left <= 0) requireTime();
                if (result === null) {
                    job.steps += entry.mark + "d";
                    break;
                }
                if (result !== copy) requireEvent(result);
                if (result.messageId !== messageId) throw new TypeError("the plugin returned another event");
                text = eventText(result, stringify);
                if (__tributary_left <= 0) requireTime();
                if (text !== before) text = usable(text, before);
            } catch (error) {
                fault(entry, error);
                job.steps += entry.mark + "f";
                continue;
            }
            if (text === before) {
                job.steps += entry.mark + "u";
                continue;
            }
            job.steps += entry.mark + "c";
            job.text = text;
            job.changes += 1;
            entry.before = before;
        }
        return answer();
    }

    // The list is a number that `listFor` has given. The answer: the steps, each as the plugin's number and a letter, and
    // the event, unless it is as it was; null when a plugin waits for a promise.
    runtime.run = function (list, text) {
        job = null;
        const { entries, isTrack } = lists[list];
        const copy = parse(text);
        job = {
            proceed: proceedEvent,
            entries,
            isTrack,
            index: 0,
            steps: "",
            changes: 0,
            copy,
            waiting: null,
            // Written once by this engine, so that a difference later on is a plugin's and not one of spelling. For a
            // single plugin the host finds that out for less.
            text: entries.length > 1 ? stringify(copy) : text,
            messageId: copy.messageId,
        };
        return proceedEvent();
    };

    // Takes the last change back, because the host cannot use it.
    runtime.retract = function (message) {
        let place = job.entries.length - 1;
        while (job.entries[place].before === null) place -= 1;
        const entry = job.entries[place];
        fault(entry, message);
        job.steps = job.steps.replace(entry.mark + "c", entry.mark + "f");
        job.text = entry.before;
        entry.before = null;
        job.changes -= 1;
        return answer();
    };

    // The known facts of the event or of the news so far.
    function answer() {
        return job.changes === 0 ? job.steps : job.steps + "\n" + job.text;
    }

    // MARK: news

    function step(entry, letter) {
        job.steps += entry.mark + letter;
    }

    function proceedNotice() {
        for (; job.index < job.entries.length; job.index++) {
            const entry = job.entries[job.index];
            if (entry.isOff) continue;
            try {
                if (job.waiting === null) {
                    const result = tell(entry.plugin);
                    if (isPromise(result)) {
                        job.waiting = waitFor(result);
                        return null;
                    }
                } else {
                    awaited();
                }
                requireTime();
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
            case "update": return plugin.update(parse(job.settings), updateType(job.isInitial));
            case "reset": return plugin.reset();
            default: return plugin.flush();
        }
    }

    runtime.notify = function (notice, settings, isInitial) {
        job = null;
        job = {
            proceed: proceedNotice, entries: listenersFor(notice), index: 0, steps: "", changes: 0, notice, settings,
            isInitial, waiting: null,
        };
        return proceedNotice();
    };

    // MARK: breaches and faults

    // Switches the plugin off that was at work. Returns the facts so far; undefined when none was at work.
    runtime.stop = function () {
        const entry = job?.entries[job.index];
        if (entry === undefined) return undefined;
        entry.isOff = true;
        faults.push({ id: entry.id, message: "", isOff: true });
        step(entry, "f");
        job.copy = null;
        job.waiting = null;
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
