// `Analytics` and the predefined `analytics`: how scripts make events of their own.
(function (runtime) {
    "use strict";

    const { eventText, host, publish, freezeClass, withoutNew } = runtime;
    const { freeze } = Object;
    const { isArray } = Array;
    const { stringify } = JSON;

    function text(value, what) {
        if (typeof value !== "string") throw new TypeError(what + " must be a string");
        return value;
    }

    function optionalText(value, what) {
        return value === undefined || value === null ? undefined : text(value, what);
    }

    function optionalObject(value, what) {
        if (value === undefined || value === null) return undefined;
        if (typeof value !== "object" || isArray(value)) throw new TypeError(what + " must be an object");
        return value;
    }

    class Analytics {
        #writeKey;

        constructor(writeKey) {
            text(writeKey, "the write key");
            if (!host("source", writeKey)) throw new Error("there is no source with the write key " + writeKey);
            this.#writeKey = writeKey;
        }

        get traits() {
            return host("traits", this.#writeKey);
        }

        get userId() {
            return host("userId", this.#writeKey);
        }

        get anonymousId() {
            return host("anonymousId", this.#writeKey);
        }

        track(event, properties, context) {
            this.#send("track", {
                event: text(event, "the name of a track event"),
                properties: optionalObject(properties, "properties"),
                context: optionalObject(context, "context"),
            });
        }

        identify(userId, traits, context) {
            this.#send("identify", {
                userId: optionalText(userId, "the user id"),
                traits: optionalObject(traits, "traits"),
                context: optionalObject(context, "context"),
            });
        }

        screen(title, category, properties, context) {
            this.#send("screen", {
                title: text(title, "the title of a screen"),
                category: optionalText(category, "the category of a screen"),
                properties: optionalObject(properties, "properties"),
                context: optionalObject(context, "context"),
            });
        }

        group(groupId, traits, context) {
            this.#send("group", {
                groupId: text(groupId, "the group id"),
                traits: optionalObject(traits, "traits"),
                context: optionalObject(context, "context"),
            });
        }

        alias(newId, context) {
            this.#send("alias", {
                newId: text(newId, "the new id"),
                context: optionalObject(context, "context"),
            });
        }

        reset() {
            host("reset", this.#writeKey);
        }

        flush() {
            host("flush", this.#writeKey);
        }

        add(plugin) {
            return runtime.addPlugin(this.#writeKey, plugin);
        }

        #send(type, members) {
            host("send", this.#writeKey, type, eventText(members, stringify));
        }
    }

    const advice = "analytics is there already, so a script makes none of its own; "
        + "new Analytics(writeKey) is for events of another source";
    publish("Analytics", withoutNew(freezeClass(Analytics), advice));
    publish("analytics", freeze(new Analytics(host("writeKey"))));
})(globalThis.__runtime);
