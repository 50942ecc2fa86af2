// The functions that a destination function or a source function has, and those by which its process asks it.
(function (global) {
    "use strict";

    const sha256Of = global.__sha256;
    delete global.__sha256;
    const { apply } = Reflect;
    const { create, defineProperty, freeze, getPrototypeOf, keys } = Object;
    const { isArray } = Array;
    const { parse: readDate, now } = Date;
    const { stringify, parse } = JSON;
    const { floor } = Math;
    const { test } = RegExp.prototype;
    const encode = encodeURIComponent;
    const unencode = unescape;
    const text = String;
    const mostRequests = 10;
    const mostBytes = 1 << 20;
    const mostEvents = 100;
    const types = ["track", "identify", "page", "screen", "group", "alias"];
    const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
    const plainText = /^[\x20-\x7e]*$/;
    const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
    const numberText = /^-?[0-9]{1,15}(\.[0-9]{1,15})?$/;
    const secretName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

    const is = (pattern, value) => apply(test, pattern, [value]);
    const isObject = (value) => typeof value === "object" && value !== null && !isArray(value);
    const kindOf = (value) => (value === null ? "null" : isArray(value) ? "an array" : typeof value === "object"
        ? "an object" : typeof value === "string" ? `the text "${text(value).slice(0, 60)}"` : typeof value);

    class Destination {}
    class Source {}
    class RetryLater extends Error {}
    // The service will never take these events, or none of the call. In a source function: the request is not taken.
    class Refused extends Error {
        constructor(message, events) {
            super(message);
            this.events = events;
        }
    }

    // The class of the script, and an object of it; undefined until it is loaded.
    const found = [];
    let destination;
    // The class that it extends.
    let base;
    let settings;
    let secrets = create(null);
    let nonce;

    // Placeholders

    function secret(name) {
        if (nonce === undefined) throw new TypeError("secret: it has a value only inside of a method");
        if (typeof name !== "string" || secrets[name] !== true) {
            const known = keys(secrets).join(", ") || "none";
            throw new TypeError(`secret: static secrets has no ${kindOf(name)}; it has ${known}`);
        }
        return `${nonce}.s.${name}.`;
    }

    function basic(user, password) {
        if (nonce === undefined) throw new TypeError("basic: it has a value only inside of a method");
        if (typeof user !== "string" || typeof password !== "string") {
            throw new TypeError("basic: user and password are texts");
        }
        if (user.includes(":")) throw new TypeError("basic: a user has no colon");
        const bytes = unencode(encode(`${user}:${password}`.toWellFormed()));
        let digits = "";
        for (let index = 0; index < bytes.length; index++) {
            digits += bytes.charCodeAt(index).toString(16).padStart(2, "0");
        }
        return `Basic ${nonce}.b.${digits}.`;
    }

    function bearer(token) {
        if (typeof token !== "string") throw new TypeError("bearer: the token is a text");
        return `Bearer ${token}`;
    }

    // Requests

    const parts = new WeakMap();
    const getPart = WeakMap.prototype.get;
    class OutgoingRequest {}

    function headersOf(headers) {
        const list = [];
        if (headers === undefined || headers === null) return list;
        if (!isObject(headers)) throw new TypeError(`request: headers is an object, not ${kindOf(headers)}`);
        for (const name of keys(headers)) {
            const value = headers[name];
            if (value === undefined || value === null) continue;
            if (!is(headerName, name)) throw new TypeError(`request: ${kindOf(name)} cannot be the name of a header`);
            if (typeof value !== "string" && typeof value !== "number") {
                throw new TypeError(`request: the header ${name} is a text or a number, not ${kindOf(value)}`);
            }
            if (!is(plainText, text(value))) {
                throw new TypeError(`request: the header ${name} has a line break or a letter beyond ASCII`);
            }
            list.push([name, text(value)]);
        }
        return list;
    }

    function formPart(value, name) {
        if (!["string", "number", "boolean"].includes(typeof value)) {
            throw new TypeError(`request: ${kindOf(name)} of the form is a text, a number or a boolean, not ${kindOf(value)}`);
        }
        return encode(text(value).toWellFormed()).replace(/%20/g, "+").replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
    }

    function formOf(form) {
        if (!isObject(form)) throw new TypeError(`request: form is an object, not ${kindOf(form)}`);
        const pairs = [];
        for (const name of keys(form)) {
            const values = isArray(form[name]) ? form[name] : [form[name]];
            for (const value of values) {
                if (value !== undefined && value !== null) pairs.push(`${formPart(name, name)}=${formPart(value, name)}`);
            }
        }
        return pairs.join("&");
    }

    function contentOf({ body, form }, method) {
        if (body !== undefined && form !== undefined) throw new TypeError("request: it has a body or a form, not both");
        if (body === undefined && form === undefined) return { kind: "none", body: "" };
        if (method === "GET") throw new TypeError("request: a GET has no body and no form");
        if (form !== undefined) return { kind: "form", body: formOf(form), type: "application/x-www-form-urlencoded" };
        if (typeof body === "string") return { kind: "text", body };
        const json = stringify(body);
        if (typeof json !== "string") throw new TypeError(`request: the body has no JSON form: it is ${kindOf(body)}`);
        return { kind: "json", body: json, type: "application/json" };
    }

    function request(method, address, options = {}) {
        if (!methods.includes(method)) throw new TypeError(`request: the method is one of ${methods.join(", ")}, not ${kindOf(method)}`);
        if (typeof address !== "string") throw new TypeError(`request: the address is a text, not ${kindOf(address)}`);
        if (!isObject(options)) throw new TypeError(`request: the options are an object, not ${kindOf(options)}`);
        for (const name of keys(options)) {
            if (!["headers", "body", "form"].includes(name)) throw new TypeError(`request: there is no option ${name}; there is headers, body and form`);
        }
        const headers = headersOf(options.headers);
        const { kind, body, type } = contentOf(options, method);
        if (body.length > mostBytes) throw new RangeError(`request: a body has at most ${mostBytes} bytes`);
        if (type !== undefined && !headers.some(([name]) => name.toLowerCase() === "content-type")) {
            headers.push(["Content-Type", type]);
        }
        const made = freeze(new OutgoingRequest());
        parts.set(made, { method, url: address, headers, kind, body });
        return made;
    }

    function partsOf(value) {
        return isObject(value) ? apply(getPart, parts, [value]) : undefined;
    }

    function requestsOf(value, name) {
        if (value === undefined || value === null) return [];
        if (isObject(value) && typeof value.then === "function") {
            throw new TypeError(`${name} returned a promise: a function cannot wait for answers, so its methods are not async`);
        }
        const list = isArray(value) ? value : [value];
        if (list.length > mostRequests) throw new RangeError(`${name} returned ${list.length} requests; at most ${mostRequests} are sent`);
        return list.map((entry) => {
            const made = partsOf(entry);
            if (made === undefined) throw new TypeError(`${name} returned ${kindOf(entry)}; it returns request(…), several of them in an array, or null`);
            return made;
        });
    }

    // Values of events

    function sha256(value) {
        if (typeof value !== "string") throw new TypeError(`sha256: it takes a text, not ${kindOf(value)}`);
        return sha256Of(value);
    }

    function millis(event) {
        const given = typeof event === "object" && event !== null ? event.timestamp : undefined;
        const time = typeof given === "string" ? readDate(given) : NaN;
        return time === time ? time : now();
    }

    function seconds(event) {
        return floor(millis(event) / 1000);
    }

    // What the script declares

    function declared(type, name) {
        const value = type[name];
        if (value === undefined) return create(null);
        if (!isObject(value)) throw new TypeError(`static ${name} is an object, not ${kindOf(value)}`);
        return value;
    }

    function settingOf(name, entry) {
        if (!isObject(entry)) throw new TypeError(`static settings: ${name} is an object such as { required: true }`);
        const { type = "string", description = "", required = false, pattern = null } = entry;
        if (!["string", "number", "boolean"].includes(type)) {
            throw new TypeError(`static settings: the type of ${name} is "string", "number" or "boolean"`);
        }
        if (typeof description !== "string" || typeof required !== "boolean") {
            throw new TypeError(`static settings: ${name} has a description, a text, and required, true or false`);
        }
        if (pattern !== null && (typeof pattern !== "string" || type !== "string")) {
            throw new TypeError(`static settings: the pattern of ${name} is the text of an expression, for a setting that is a text`);
        }
        const shown = { type, description, required, pattern };
        if (entry.default !== undefined) {
            checkValue(name, shown, entry.default, "static settings: the default of");
            shown.default = entry.default;
        }
        return shown;
    }

    function checkValue(name, { type, pattern }, value, what) {
        if (typeof value !== type || (type === "number" && value - value !== 0)) {
            const needed = { string: "a text", number: "a number", boolean: "true or false" }[type];
            throw new TypeError(`${what} ${name} is ${needed}, not ${kindOf(value)}`);
        }
        if (pattern !== null && !is(new RegExp(pattern), value)) throw new TypeError(`${what} ${name} does not match ${pattern}`);
    }

    function secretOf(name, entry) {
        if (!isObject(entry)) throw new TypeError(`static secrets: ${name} is an object such as { required: true }`);
        const { description = "", required = false } = entry;
        if (typeof description !== "string" || typeof required !== "boolean") {
            throw new TypeError(`static secrets: ${name} has a description, a text, and required, true or false`);
        }
        return { description, required };
    }

    function named(list, what, entryOf) {
        const names = keys(list);
        if (names.length > 50) throw new RangeError(`static ${what}: at most 50 are declared`);
        const entries = create(null);
        for (const name of names) {
            if (!is(secretName, name)) {
                throw new TypeError(`static ${what}: ${kindOf(name)} is no name; it has 1 to 64 letters, digits and _ and begins with a letter`);
            }
            entries[name] = entryOf(name, list[name]);
        }
        return entries;
    }

    function hostsOf(type) {
        const { hosts } = type;
        if (!isArray(hosts) || hosts.length === 0 || hosts.length > 20 || !hosts.every((host) => typeof host === "string")) {
            throw new TypeError('static hosts names the hosts that are reached, 1 to 20 texts, such as ["api.example.com"]');
        }
        return hosts;
    }

    function batchEventsOf(type) {
        const hasBatch = typeof type.prototype.batch === "function";
        const { batchEvents } = type;
        if (!hasBatch) {
            if (batchEvents === undefined) return null;
            throw new TypeError("static batchEvents is only for a class with batch()");
        }
        if (batchEvents === undefined) return 100;
        if (typeof batchEvents !== "number" || floor(batchEvents) !== batchEvents || batchEvents < 1 || batchEvents > 1000) {
            throw new TypeError("static batchEvents is a whole number from 1 to 1000");
        }
        return batchEvents;
    }

    function refusalsOf({ refusals = [] }) {
        const isStatus = (status) => typeof status === "number" && floor(status) === status && status >= 400 && status <= 499;
        if (!isArray(refusals) || refusals.length > 20 || !refusals.every(isStatus)) {
            throw new TypeError("static refusals names at most 20 statuses from 400 to 499, such as [404]");
        }
        return refusals;
    }

    // A command line has texts only.
    function valueOf(value, type) {
        if (typeof value !== "string") return value;
        if (type === "number" && is(numberText, value)) return +value;
        if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
        return value;
    }

    function valuesOf(declaration, given) {
        const values = create(null);
        for (const name of keys(given)) {
            if (declaration[name] === undefined) {
                throw new TypeError(`the function has no setting ${name}; it has ${keys(declaration).join(", ") || "none"}`);
            }
        }
        for (const name of keys(declaration)) {
            const isGiven = given[name] !== undefined && given[name] !== null;
            const value = isGiven ? valueOf(given[name], declaration[name].type) : declaration[name].default;
            if (value === undefined) {
                const { description, required } = declaration[name];
                if (required) throw new TypeError(`the setting ${name} is missing${description && `: ${description}`}`);
                continue;
            }
            checkValue(name, declaration[name], value, "the setting");
            values[name] = value;
        }
        return values;
    }

    // What the process asks

    // Takes the class of the script. Called once for each class at its top level.
    function offer(type, name) {
        if (destination !== undefined || typeof type !== "function" || typeof type.prototype !== "object") return;
        if (getPrototypeOf(type) === base) found.push({ type, name });
    }

    function destinationOf(type, name) {
        const declaration = {
            hosts: hostsOf(type), batchEvents: batchEventsOf(type), refusals: refusalsOf(type),
            types: types.filter((event) => typeof type.prototype[event] === "function"),
            readsAnswers: typeof type.prototype.answered === "function",
        };
        if (declaration.types.length === 0 && declaration.batchEvents === null) {
            throw new TypeError(`${name} has none of the methods ${types.join(", ")} and batch`);
        }
        return declaration;
    }

    function sourceOf(type, name) {
        const { verification } = type;
        if (!isObject(verification)) {
            throw new TypeError('static verification says how requests are checked, such as { scheme: "header", secret: "token" }; { scheme: "none" } takes all');
        }
        if (typeof type.prototype.onRequest !== "function") throw new TypeError(`${name} has no method onRequest`);
        return { verification };
    }

    function load(given, chosen) {
        if (found.length !== 1) {
            throw new TypeError(found.length === 0
                ? `no class at the top level of the script extends ${base.name}`
                : `exactly one class extends ${base.name}, not ${found.map(({ name }) => name).join(", ")}`);
        }
        const [{ type, name }] = found;
        const declaration = {
            class: name, settings: named(declared(type, "settings"), "settings", settingOf),
            secrets: named(declared(type, "secrets"), "secrets", secretOf),
            ...(base === Source ? sourceOf(type, name) : destinationOf(type, name)),
        };
        // A look at the class has no settings yet.
        settings = freeze(chosen === null ? create(null) : { ...valuesOf(declaration.settings, chosen) });
        for (const key of keys(declaration.secrets)) secrets[key] = true;
        nonce = given;
        destination = new type();
        return stringify({ ...declaration, values: settings });
    }

    function outcome(events, isBatch) {
        if (isBatch) return requestsOf(destination.batch(events, settings), "batch");
        const [event] = events;
        if (!types.includes(event.type) || typeof destination[event.type] !== "function") return [];
        return requestsOf(destination[event.type](event, settings), event.type);
    }

    function call(events, isBatch) {
        try {
            return stringify({ requests: outcome(events, isBatch) });
        } catch (error) {
            if (error instanceof RetryLater) return stringify({ later: text(error.message) });
            throw error;
        }
    }

    // Answers

    function answerOf({ status, body, number }) {
        let json;
        try {
            json = parse(body);
        } catch {
            // Not every answer is JSON.
        }
        return freeze({ status, body, json, number });
    }

    function placesOf({ events: refused }, events) {
        if (refused === undefined) return events.map((_, place) => place);
        const places = isArray(refused) ? refused.map((event) => events.indexOf(event)) : [-1];
        if (places.includes(-1)) throw new TypeError("Refused: its second value is a list of events that answered() got");
        return places;
    }

    function answered(answer, events) {
        try {
            const said = destination.answered(answerOf(answer), events, settings);
            if (said === undefined || said === null) return stringify({ taken: null });
            if (typeof said === "string") return stringify({ taken: said });
            throw new TypeError(`answered returned ${kindOf(said)}; it returns a text for people or nothing`);
        } catch (error) {
            if (error instanceof RetryLater) return stringify({ later: text(error.message) });
            if (error instanceof Refused) return stringify({ refused: text(error.message), events: placesOf(error, events) });
            throw error;
        }
    }

    // Requests of other services

    function requestOf({ headers, query, body }) {
        let json;
        try {
            json = parse(body);
        } catch {
            // Not every body is JSON.
        }
        return freeze({ headers: freeze(headers), query: freeze(query), body, json });
    }

    function isId(value) {
        return typeof value === "string" && value !== "";
    }

    function checkEvent(event, place) {
        const what = `event ${place + 1} of onRequest`;
        if (!isObject(event)) throw new TypeError(`${what} is an object, not ${kindOf(event)}`);
        if (!types.includes(event.type)) throw new TypeError(`the type of ${what} is one of ${types.join(", ")}, not ${kindOf(event.type)}`);
        if (!isId(event.userId) && !isId(event.anonymousId)) throw new TypeError(`${what} has a userId or an anonymousId, a text`);
        if (event.messageId !== undefined && !isId(event.messageId)) throw new TypeError(`the messageId of ${what} is a text`);
    }

    function eventsOf(value) {
        if (value === undefined || value === null) return [];
        if (isObject(value) && typeof value.then === "function") {
            throw new TypeError("onRequest returned a promise: it cannot wait for anything, so it is not async");
        }
        const list = isArray(value) ? value : [value];
        if (list.length > mostEvents) throw new RangeError(`onRequest returned ${list.length} events; at most ${mostEvents} are taken`);
        list.forEach(checkEvent);
        return list;
    }

    function received(given) {
        try {
            return stringify({ events: eventsOf(destination.onRequest(requestOf(given), settings)) });
        } catch (error) {
            if (error instanceof RetryLater) return stringify({ later: text(error.message) });
            if (error instanceof Refused) return stringify({ refused: text(error.message) });
            throw error;
        }
    }

    const shared = [["RetryLater", RetryLater], ["Refused", Refused], ["sha256", sha256]];
    const ofDestinations = [
        ["Destination", Destination], ["request", request], ["secret", secret], ["basic", basic], ["bearer", bearer], ["millis", millis],
        ["seconds", seconds],
    ];

    // Gives the script the functions of its kind. Called once, before the script.
    function begin(kind) {
        base = kind === "source" ? Source : Destination;
        const own = kind === "source" ? [["Source", Source]] : ofDestinations;
        for (const [name, value] of [...shared, ...own]) defineProperty(global, name, { value });
    }

    defineProperty(global, "__tributary_offer", { value: offer });
    global.__function = { begin, load, call, answered, received };
})(globalThis);
