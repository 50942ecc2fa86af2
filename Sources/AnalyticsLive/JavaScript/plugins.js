// `LivePlugin`, its constants, and the plugins that were added.
(function (runtime) {
    "use strict";

    const { host, publish, freezeClass } = runtime;
    const { freeze } = Object;
    const { stringify } = JSON;
    const ownKey = host("writeKey");
    const eventTypes = ["track", "identify", "screen", "page", "group", "alias"];
    const notices = ["update", "reset", "flush"];

    const LivePluginType = freeze({
        before: "before",
        enrichment: "enrichment",
        after: "after",
        utility: "utility",
    });

    // The argument of `update`: a Boolean as documented, or, for a bundle that writes "Initial" or "Refresh", these texts. One
    // bundle has one form, and the constants have it, too.
    let hasTextTypes = false;

    runtime.updateType = function (isInitial) {
        return hasTextTypes ? (isInitial ? "Initial" : "Refresh") : isInitial;
    };

    runtime.useTextTypes = function () {
        hasTextTypes = true;
    };

    const UpdateType = freeze({
        get initial() {
            return runtime.updateType(true);
        },
        get refresh() {
            return runtime.updateType(false);
        },
    });

    // Bundles that were written against other runtimes name the types by number.
    function typeNamed(value) {
        switch (value) {
            case "before": case 0: return "before";
            case "enrichment": case 1: return "enrichment";
            case "after": case 3: return "after";
            case "utility": case 4: return "utility";
            default: return undefined;
        }
    }

    class LivePlugin {
        #type;
        #destination;

        constructor(type, destination) {
            const name = typeNamed(type);
            if (name === undefined) throw new TypeError(String(type) + " is not a LivePluginType");
            if (destination !== undefined && destination !== null && typeof destination !== "string") {
                throw new TypeError("the destination of a plugin must be a string or null");
            }
            this.#type = name;
            this.#destination = destination ? destination : null;
            runtime.reviewInstance?.(this);
        }

        get type() {
            return this.#type;
        }

        get destination() {
            return this.#destination;
        }

        update(settings, type) {}

        // Where an event enters a plugin. Other runtimes know only this name; `process` is the documented one.
        execute(event) {
            return this.process(event);
        }

        process(event) {
            switch (event.type) {
                case "track": return this.track(event);
                case "identify": return this.identify(event);
                case "screen": return this.screen(event);
                case "page": return this.page(event);
                case "group": return this.group(event);
                case "alias": return this.alias(event);
                default: return event;
            }
        }

        track(event) {
            return event;
        }

        identify(event) {
            return event;
        }

        screen(event) {
            return event;
        }

        page(event) {
            return event;
        }

        group(event) {
            return event;
        }

        alias(event) {
            return event;
        }

        reset() {}

        flush() {}

        // The type and destination, read from the instance itself; undefined when it is no live plugin.
        static {
            runtime.placeOf = function (plugin) {
                if (typeof plugin !== "object" || plugin === null || !(#type in plugin)) return undefined;
                return { type: plugin.#type, destination: plugin.#destination };
            };
        }
    }

    freezeClass(LivePlugin);
    const base = LivePlugin.prototype;

    // One plugin as the runtime sees it. The runtime looks its methods up once, so that other events cost nothing.
    class Entry {
        constructor(id, plugin, name, place) {
            this.id = id;
            this.mark = " " + id;
            // The event before this plugin changed it; null when it did not.
            this.before = null;
            this.plugin = plugin;
            this.name = name;
            this.stage = place.destination === null ? place.type : place.type + "/" + place.destination;
            this.faults = 0;
            this.isOff = false;
            this.handles = overridden(plugin, eventTypes);
            this.handlesAll = plugin.process !== base.process || plugin.execute !== base.execute;
            // An event of a known type gets to the method of its type whatever way it goes.
            this.isPlain = !this.handlesAll;
            this.hears = overridden(plugin, notices);
        }

        handlesType(type) {
            return this.handlesAll || this.handles.includes(type);
        }
    }

    function overridden(plugin, names) {
        return names.filter((name) => plugin[name] !== base[name]);
    }

    function nameOf(plugin) {
        const name = plugin.constructor?.name;
        return typeof name === "string" && name !== "" ? name.slice(0, 100) : "LivePlugin";
    }

    const entries = [];
    runtime.entries = entries;

    // For each stage and type of event that was asked for: the plugins that handle it, in the order in which they were
    // added. The host keeps their numbers.
    const lists = [];
    runtime.lists = lists;

    function fill(list) {
        list.entries = entries.filter((entry) => entry.stage === list.stage && entry.handlesType(list.type));
    }

    // The number of a list.
    runtime.listFor = function (stage, type) {
        const list = { stage, type, isTrack: type === "track", entries: [] };
        fill(list);
        lists.push(list);
        return lists.length - 1;
    };

    // The plugins that want to hear of an update, a reset or a flush.
    runtime.listenersFor = function (notice) {
        return entries.filter((entry) => entry.hears.includes(notice));
    };

    runtime.addPlugin = function (writeKey, plugin) {
        const place = runtime.placeOf(plugin);
        if (place === undefined) throw new TypeError("only a LivePlugin can be added");
        if (writeKey !== ownKey) throw new Error("plugins can only be added to the predefined analytics");
        if (entries.some((entry) => entry.plugin === plugin)) return false;
        const entry = new Entry(entries.length, plugin, nameOf(plugin), place);
        entries.push(entry);
        lists.forEach(fill);
        host("register", stringify({
            name: entry.name,
            type: place.type,
            destination: place.destination,
            handles: entry.handlesAll ? ["*"] : entry.handles,
            hears: entry.hears,
        }));
        return true;
    };

    publish("LivePlugin", LivePlugin);
    publish("LivePluginType", LivePluginType);
    publish("UpdateType", UpdateType);
})(globalThis.__runtime);
