// Signals: their classes and constants, the buffer of the latest, and the way of a signal from the app into the buffer
// and through the bundle's `processSignal`.
(function (runtime) {
    "use strict";

    const { host, publish, freezeClass, withoutNew } = runtime;
    const { defineProperty, freeze, setPrototypeOf } = Object;
    const { isArray } = Array;
    const { parse } = JSON;
    const SystemDate = Date;
    const ownKey = host("writeKey");

    const SignalType = freeze({
        Interaction: "interaction",
        Navigation: "navigation",
        Network: "network",
        LocalData: "localData",
        Instrumentation: "instrumentation",
        UserDefined: "userDefined",
    });

    const NavigationAction = freeze({
        Forward: "forward",
        Backward: "backward",
        Modal: "modal",
        Entering: "entering",
        Leaving: "leaving",
        Page: "page",
        Popup: "popup",
    });

    const NetworkAction = freeze({ Request: "request", Response: "response" });

    const LocalDataAction = freeze({
        Loaded: "loaded",
        Updated: "updated",
        Saved: "saved",
        Deleted: "deleted",
        Undefined: "undefined",
    });

    const EventType = freeze({
        Track: "track",
        Screen: "screen",
        Identify: "identify",
        Group: "group",
        Alias: "alias",
    });

    // Generators that are written for other releases find some members under other names. A name that the data has of its
    // own counts. None of these can be enumerated, so no copy and no text of a signal has anything twice.
    const otherNames = {
        __proto__: null,
        interaction(data) {
            alias(data, "target", () => data);
        },
        navigation(data) {
            if ("screen" in data) alias(data, "currentScreen", () => data.screen);
            else if ("currentScreen" in data) alias(data, "screen", () => data.currentScreen);
        },
        network(data) {
            if ("data" in data) alias(data, "body", () => data.data);
            if ("statusCode" in data) alias(data, "status", () => data.statusCode);
            if (isObject(data.data) && "content" in data.data) alias(data.data, "data", () => data.data.content);
        },
    };

    function alias(object, name, get) {
        if (name in object) return;
        defineProperty(object, name, { get, set: (value) => replace(object, name, value), configurable: true });
    }

    // An assignment makes an ordinary member, as on any object.
    function replace(object, name, value) {
        defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    }

    function isObject(value) {
        return typeof value === "object" && value !== null && !isArray(value);
    }

    function addOtherNames(signal) {
        if (isObject(signal.data)) otherNames[signal.type]?.(signal.data);
        return signal;
    }

    class RawSignal {
        constructor(type, data) {
            this.anonymousId = host("anonymousId", ownKey);
            this.type = type;
            this.timestamp = new SystemDate();
            this.index = -1;
            this.data = data;
            addOtherNames(this);
        }
    }

    class NavigationSignal extends RawSignal {
        constructor(action, screen) {
            super(SignalType.Navigation, { action, screen });
        }
    }

    class InteractionSignal extends RawSignal {
        constructor(component, info, object) {
            super(SignalType.Interaction, { component, title: info, info, data: object });
        }
    }

    class NetworkSignal extends RawSignal {
        constructor(action, url, object) {
            super(SignalType.Network, { action, url, data: object });
        }
    }

    class LocalDataSignal extends RawSignal {
        constructor(action, identifier, object) {
            super(SignalType.LocalData, { action, identifier, data: object });
        }
    }

    class InstrumentationSignal extends RawSignal {
        constructor(rawEvent) {
            super(SignalType.Instrumentation, { type: eventTypeOf(rawEvent), rawEvent });
        }
    }

    function eventTypeOf(event) {
        switch (event?.type) {
            case "track": case "screen": case "identify": case "group": case "alias": return event.type;
            default: return "unknown";
        }
    }

    // The latest signals, newest first.
    class Signals {
        constructor() {
            this.signalBuffer = [];
            this.signalCounter = 0;
            this.maxBufferSize = 1000;
        }

        add(signal) {
            if (typeof signal !== "object" || signal === null) throw new TypeError("only a signal can be added");
            if (typeof signal.index !== "number" || signal.index < 0) signal.index = this.getNextIndex();
            this.signalBuffer.unshift(signal);
            trim(this.signalBuffer, this.maxBufferSize);
        }

        getNextIndex() {
            const index = this.signalCounter;
            this.signalCounter = index + 1;
            return index;
        }

        // The newest signal at or before `fromSignal` of that type that the predicate holds for; each of the three may
        // be left out. A predicate that throws does not hold.
        find(fromSignal, signalType, predicate) {
            const buffer = this.signalBuffer;
            const start = fromSignal === undefined || fromSignal === null ? 0 : buffer.indexOf(fromSignal);
            for (let index = start < 0 ? 0 : start; index < buffer.length; index++) {
                const signal = buffer[index];
                if (signalType !== undefined && signalType !== null && signal.type !== signalType) continue;
                if (predicate === undefined || predicate === null || holds(predicate, signal)) return signal;
            }
            return null;
        }

        findAndApply(fromSignal, signalType, searchPredicate, applyPredicate) {
            const found = this.find(fromSignal, signalType, searchPredicate);
            if (found !== null) applyPredicate(found);
            return found;
        }
    }

    function trim(buffer, size) {
        while (buffer.length > 0 && !(buffer.length <= size)) buffer.pop();
    }

    function holds(predicate, signal) {
        try {
            return predicate(signal);
        } catch {
            return false;
        }
    }

    // The app's own: its signals are counted together with Swift's.
    class AppSignals extends Signals {
        getNextIndex() {
            const index = host("nextSignalIndex");
            this.signalCounter = index + 1;
            return index;
        }
    }

    for (const type of [
        RawSignal, NavigationSignal, InteractionSignal, NetworkSignal, LocalDataSignal, InstrumentationSignal, Signals,
        AppSignals,
    ]) freezeClass(type);

    const appSignals = new AppSignals();

    const prototypes = {
        __proto__: null,
        interaction: InteractionSignal.prototype,
        navigation: NavigationSignal.prototype,
        network: NetworkSignal.prototype,
        localData: LocalDataSignal.prototype,
        instrumentation: InstrumentationSignal.prototype,
    };

    // A signal of the app as scripts see it.
    function shape(signal) {
        signal.timestamp = new SystemDate(signal.timestamp);
        return addOtherNames(setPrototypeOf(signal, prototypes[signal.type] ?? RawSignal.prototype));
    }

    runtime.shapeSignal = shape;

    function store(signal) {
        if (!isArray(appSignals.signalBuffer)) appSignals.signalBuffer = [];
        if (signal.index >= appSignals.signalCounter) appSignals.signalCounter = signal.index + 1;
        appSignals.signalBuffer.unshift(signal);
        trim(appSignals.signalBuffer, appSignals.maxBufferSize);
    }

    // Takes a signal of the app. Signals older than `oldest` go, because the host bounds the bytes of all of them.
    runtime.signal = function (text, oldest) {
        const signal = shape(parse(text));
        store(signal);
        const buffer = appSignals.signalBuffer;
        while (buffer.length > 1 && buffer[buffer.length - 1].index < oldest) buffer.pop();
        if (!runtime.hasGenerator()) return undefined;
        const result = processSignal(signal);
        if (!runtime.isPromise(result)) return undefined;
        waiting = runtime.waitFor(result);
        return null;
    };

    // The promise of `processSignal`, until the host asks what has become of it.
    let waiting = null;

    runtime.settleSignal = function () {
        const last = waiting;
        waiting = null;
        runtime.settled(last);
    };

    // Whether the bundle has a generator, however it declares it.
    runtime.hasGenerator = () => typeof processSignal === "function";

    // Whether a script of the bundle declares `signals` itself, which is then a buffer without the app's signals. The name is
    // not that of a constant here, so the declaration of the script counts.
    runtime.hidesSignals = () => signals !== appSignals && signals instanceof Signals;

    // Puts the latest signals into the buffer of a bundle that was not there when they came.
    runtime.refillSignals = function (size, text) {
        appSignals.maxBufferSize = size;
        const list = parse(text);
        for (let index = 0; index < list.length; index++) store(shape(list[index]));
        trim(appSignals.signalBuffer, size);
    };

    publish("SignalType", SignalType);
    publish("NavigationAction", NavigationAction);
    publish("NetworkAction", NetworkAction);
    publish("LocalDataAction", LocalDataAction);
    publish("EventType", EventType);
    publish("RawSignal", RawSignal);
    publish("NavigationSignal", NavigationSignal);
    publish("InteractionSignal", InteractionSignal);
    publish("NetworkSignal", NetworkSignal);
    publish("LocalDataSignal", LocalDataSignal);
    publish("InstrumentationSignal", InstrumentationSignal);
    const advice = "new Signals() makes a buffer of the script's own; signals has those of the app";
    publish("Signals", withoutNew(Signals, advice));
    publish("signals", appSignals);
})(globalThis.__runtime);
