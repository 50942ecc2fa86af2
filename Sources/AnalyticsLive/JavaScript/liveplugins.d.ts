// Types for the authors of live plugins. Put this file beside your script, and at the top of the script:
//
//     /// <reference path="liveplugins.d.ts" />
//
// Scripts run in a sandbox: ECMAScript without modules, eval, WebAssembly, Atomics, WeakRef and
// FinalizationRegistry; no network, no files, no timers. A script that uses import is refused. The objects of the language
// are frozen, apart from the prototypes of Object and Error.
//
// Compile with `"lib": ["es2022"]`, without "dom", and with a target of es2022.

/** A value that JSON can hold. */
type JSONValue = null | boolean | number | string | JSONValue[] | { [key: string]: JSONValue };

/** An object that JSON can hold. Members that are undefined are left out. */
type JSONObject = { [key: string]: JSONValue | undefined };

/** An event on its way through the timeline. */
interface AnalyticsEvent {
    type: string;
    messageId?: string;
    timestamp?: string;
    anonymousId?: string;
    userId?: string;
    context?: JSONObject;
    integrations?: JSONObject;
    [key: string]: any;
}

interface TrackEvent extends AnalyticsEvent {
    type: "track";
    event: string;
    properties?: JSONObject;
}

interface IdentifyEvent extends AnalyticsEvent {
    type: "identify";
    traits?: JSONObject;
}

interface ScreenEvent extends AnalyticsEvent {
    type: "screen";
    name?: string;
    category?: string;
    properties?: JSONObject;
}

/** A page of a web site. Clients for apps send `ScreenEvent` in its place. */
interface PageEvent extends AnalyticsEvent {
    type: "page";
    name?: string;
    category?: string;
    properties?: JSONObject;
}

interface GroupEvent extends AnalyticsEvent {
    type: "group";
    groupId?: string;
    traits?: JSONObject;
}

interface AliasEvent extends AnalyticsEvent {
    type: "alias";
    previousId?: string;
}

/** An event that goes on, or null to drop it. */
type PluginResult = AnalyticsEvent | null;

/** Where a plugin stands in the timeline. */
declare const LivePluginType: {
    /** Before anything else happens to an event. */
    readonly before: "before";
    /** During the main phase. */
    readonly enrichment: "enrichment";
    /** When the destinations have had the event. */
    readonly after: "after";
    /** Gets no events, only `update`, `reset` and `flush`. */
    readonly utility: "utility";
};

/** A member of `LivePluginType`, or the number that stands for it in older scripts. */
type LivePluginTypeValue = "before" | "enrichment" | "after" | "utility" | 0 | 1 | 3 | 4;

/**
 * What `update` is told besides the settings. In a bundle that writes the text "Initial" or "Refresh" anywhere it is one of
 * these texts, in every other one true or false.
 */
type UpdateTypeValue = boolean | "Initial" | "Refresh";

declare const UpdateType: {
    /** The first settings of this start of the app. */
    readonly initial: true | "Initial";
    /** Later ones. */
    readonly refresh: false | "Refresh";
};

/**
 * The base of all live plugins. Override what you need, in the body of the class: what a plugin handles is looked up
 * when it is added, and only events of those types reach it.
 *
 * Return the event, changed or not, or null to drop it. When a plugin throws, or returns anything else, the event goes
 * on as it was before that plugin; also when it has another messageId, or has become larger than 32 KB. A plugin that
 * fails ten times, or that runs too long once, is switched off.
 *
 * Numbers that JavaScript cannot hold come out as they went in when they are left, copied or moved.
 *
 * The event is a copy that is yours until you return it; what you want to keep longer, copy.
 */
declare class LivePlugin {
    /**
     * @param destination the key of a destination, to stand in its timeline and see only its copy of the events
     * @throws TypeError when the type is none of `LivePluginType`
     */
    constructor(type: LivePluginTypeValue, destination?: string | null);

    readonly type: "before" | "enrichment" | "after" | "utility";
    readonly destination: string | null;

    /** Called for events of every type. Unless overridden, calls the method of the event's type. */
    process(event: AnalyticsEvent): PluginResult | Promise<PluginResult>;
    /** The name of `process` in older scripts. */
    execute(event: AnalyticsEvent): PluginResult | Promise<PluginResult>;

    track(event: TrackEvent): PluginResult | Promise<PluginResult>;
    identify(event: IdentifyEvent): PluginResult | Promise<PluginResult>;
    screen(event: ScreenEvent): PluginResult | Promise<PluginResult>;
    page(event: PageEvent): PluginResult | Promise<PluginResult>;
    group(event: GroupEvent): PluginResult | Promise<PluginResult>;
    alias(event: AliasEvent): PluginResult | Promise<PluginResult>;

    /** Called with the client's settings; `type` is a member of `UpdateType`. */
    update(settings: JSONObject, type: UpdateTypeValue): void | Promise<void>;
    /** Called when the client is reset. */
    reset(): void | Promise<void>;
    /** Called when the client is flushed. */
    flush(): void | Promise<void>;
}

/**
 * A source of events. All methods throw a TypeError for arguments of a wrong type. The last argument of the methods
 * that make events is merged into the event's context, apart from `__eventOrigin`, which says where the event is from.
 *
 * An event of the app may cause 100 events of scripts, each of those 10, each of those one, and those none; asking for
 * more throws. What `reset` and `flush` ask for does nothing while plugins are told of a reset or a flush.
 */
declare class Analytics {
    /**
     * The predefined `analytics` for the client's own write key, else another source with a user of its own.
     * @throws Error when the key is empty or very long, or the bundle has five other sources already
     */
    constructor(writeKey: string);

    /** The traits of the current user. */
    readonly traits: JSONObject | undefined;
    /** The id of the current user; undefined when nobody is identified. */
    readonly userId: string | undefined;
    readonly anonymousId: string | undefined;

    track(event: string, properties?: JSONObject | null, context?: JSONObject | null): void;
    identify(userId: string | null | undefined, traits?: JSONObject | null, context?: JSONObject | null): void;
    screen(
        title: string, category?: string | null, properties?: JSONObject | null, context?: JSONObject | null
    ): void;
    group(groupId: string, traits?: JSONObject | null, context?: JSONObject | null): void;
    alias(newId: string, context?: JSONObject | null): void;

    reset(): void;
    flush(): void;

    /**
     * Adds a plugin; only the predefined `analytics` takes plugins.
     * @returns false when that plugin was added before
     */
    add(plugin: LivePlugin): boolean;
}

/** The client that runs this script. */
declare const analytics: Analytics;

/** Values that outlive the app. A date comes back as text. */
declare const storage: {
    /** The stored value; undefined when there is none. */
    getValue(key: string): any;
    /** Stores a value as JSON; undefined removes it. */
    setValue(key: string, value: JSONValue | undefined): void;
    removeValue(key: string): void;
};

/** The tables that went out with the bundle. A bundle without tables has no such name. */
declare const tables: {
    /** The value of a key, which no script can change; undefined when the table or the key is not there. */
    get(table: string, key: string | number): any;
};

/** Writes to the log of the app; objects as JSON. A line has at most 8,192 characters. */
declare const console: {
    debug(...values: any[]): void;
    log(...values: any[]): void;
    info(...values: any[]): void;
    warn(...values: any[]): void;
    error(...values: any[]): void;
    dir(value: any): void;
    table(rows: any, columns?: string[]): void;
    assert(condition: any, ...values: any[]): void;
    count(label?: string): void;
    countReset(label?: string): void;
    group(...values: any[]): void;
    groupCollapsed(...values: any[]): void;
    groupEnd(): void;
    time(label?: string): void;
    timeLog(label?: string, ...values: any[]): void;
    timeEnd(label?: string): void;
    trace(...values: any[]): void;
};

// What is known from browsers, as far as it is there.

declare class TextEncoder {
    readonly encoding: "utf-8";
    encode(text?: string): Uint8Array;
}

/** Only for UTF-8. */
declare class TextDecoder {
    constructor(label?: "utf-8", options?: { fatal?: boolean });
    readonly encoding: "utf-8";
    readonly fatal: boolean;
    decode(bytes?: ArrayBuffer | ArrayBufferView): string;
}

declare class URLSearchParams {
    constructor(source?: string | Iterable<[string, string]> | { [key: string]: string });
    readonly size: number;
    append(key: string, value: string): void;
    delete(key: string, value?: string): void;
    get(key: string): string | null;
    getAll(key: string): string[];
    has(key: string, value?: string): boolean;
    set(key: string, value: string): void;
    sort(): void;
    forEach(callback: (value: string, key: string, parameters: URLSearchParams) => void, self?: any): void;
    entries(): IterableIterator<[string, string]>;
    keys(): IterableIterator<string>;
    values(): IterableIterator<string>;
    toString(): string;
}

declare const crypto: {
    randomUUID(): string;
};

declare function atob(text: string): string;
declare function btoa(text: string): string;
declare function structuredClone<Value>(value: Value): Value;

// Signals: what happens in the app, of which `processSignal` makes events.

declare const SignalType: {
    readonly Interaction: "interaction";
    readonly Navigation: "navigation";
    readonly Network: "network";
    readonly LocalData: "localData";
    readonly Instrumentation: "instrumentation";
    readonly UserDefined: "userDefined";
};

declare const NavigationAction: {
    readonly Forward: "forward";
    readonly Backward: "backward";
    readonly Modal: "modal";
    readonly Entering: "entering";
    readonly Leaving: "leaving";
    readonly Page: "page";
    readonly Popup: "popup";
};

declare const NetworkAction: {
    readonly Request: "request";
    readonly Response: "response";
};

declare const LocalDataAction: {
    readonly Loaded: "loaded";
    readonly Updated: "updated";
    readonly Saved: "saved";
    readonly Deleted: "deleted";
    readonly Undefined: "undefined";
};

declare const EventType: {
    readonly Track: "track";
    readonly Screen: "screen";
    readonly Identify: "identify";
    readonly Group: "group";
    readonly Alias: "alias";
};

/** Something that happened. Those of the app and those that scripts make look alike. */
declare class RawSignal<Data = any, Type extends string = string> {
    /** Its index is -1 until it is added. */
    constructor(type: Type, data: Data);
    anonymousId: string;
    /** A member of `SignalType`. */
    type: Type;
    timestamp: Date;
    /** The place among all signals of the app and of scripts. */
    index: number;
    data: Data;
}

/** `screen` and `currentScreen` are the one that is meant. */
declare class NavigationSignal extends RawSignal<{
    action: string; screen: string; currentScreen?: string; previousScreen?: string;
}, "navigation"> {
    constructor(action: string, screen: string);
}

/** `title` and `info` hold the same; `target` is the data itself, as other releases call it. */
declare class InteractionSignal extends RawSignal<{
    component: string; title?: string; info?: string; data?: any;
    target?: any;
}, "interaction"> {
    constructor(component: string, info?: string, object?: any);
}

/** What a JSON body holds is `data.data.content`; any other text is `data.data.body`. `data.body` is `data.data`. */
declare class NetworkSignal extends RawSignal<{
    action: string; url: string; method?: string; statusCode?: number; status?: number; ok?: boolean;
    contentType?: string; requestId?: string; data?: any; body?: any;
}, "network"> {
    constructor(action: string, url: string, object?: any);
}

declare class LocalDataSignal extends RawSignal<{ action: string; identifier: string; data?: any }, "localData"> {
    constructor(action: string, identifier: string, object?: any);
}

/** `data.type` is a member of `EventType`, or "unknown". */
declare class InstrumentationSignal extends RawSignal<{
    type: string; rawEvent: AnalyticsEvent;
}, "instrumentation"> {
    constructor(rawEvent: AnalyticsEvent);
}

/** A signal as `processSignal` gets it; its `type` says of which kind it is. */
type AnySignal =
    | NavigationSignal | InteractionSignal | NetworkSignal | LocalDataSignal | InstrumentationSignal
    | RawSignal<any, "userDefined">;

/**
 * What a bundle may define to make events of signals. It is called once for each signal of the app, in their order; what it
 * returns is not looked at. Events that it makes with `analytics` make no signals.
 *
 *     function processSignal(signal) { … }
 */
type SignalProcessor = (signal: AnySignal) => void;

/** The latest signals, newest first. */
declare class Signals {
    constructor();
    signalBuffer: RawSignal[];
    /** The index that comes next. */
    signalCounter: number;
    /** 1000; for `signals`, what the app has configured. */
    maxBufferSize: number;
    /** Keeps a signal, and gives it an index when it has none. It is not processed. */
    add(signal: RawSignal): void;
    getNextIndex(): number;
    /**
     * The newest signal at or before `fromSignal` of that type for which the predicate holds; each of the three may be
     * left out. A predicate that throws does not hold.
     */
    find(
        fromSignal?: RawSignal | null, signalType?: string | null, predicate?: ((signal: RawSignal) => any) | null
    ): RawSignal | null;
    /** Finds, and calls the last function with what was found. */
    findAndApply(
        fromSignal: RawSignal | null | undefined, signalType: string | null | undefined,
        searchPredicate: ((signal: RawSignal) => any) | null | undefined, applyPredicate: (signal: RawSignal) => void
    ): RawSignal | null;
}

/** The signals of the app, and those that scripts add. */
declare const signals: Signals;
