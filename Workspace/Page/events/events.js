// Events: one item for each row, the filter, and the list of the newest items.

import { Limits } from '../api/limits.js';
import { instant, latencyOf, textual } from '../parts/text.js';

/// One row: a stored event, an event that was dropped on the device, or a signal.
export class Item {
  /// The workspace's record of an event; `raw` is its JSON text.
  static stored(record, raw) {
    const item = new Item(record);
    item.readStored(record, raw);
    return item;
  }

  /// A trace of an event that never left the device.
  static dropped(trace, raw) {
    const item = new Item(trace);
    item.kind = 'drop';
    item.name = textual(trace.event);
    item.time = instant(trace.receivedAt || trace.trackedAt);
    item.sequence = trace.sequence;
    item.attach(trace, raw);
    item.index();
    return item;
  }

  /// A signal: something that happened on a device and did not make an event yet.
  static signal(record, raw) {
    const signal = record.signal && typeof record.signal === 'object' ? record.signal : {};
    const item = new Item({ ...record, type: 'signal', anonymousId: signal.anonymousId, messageId: signal.index });
    item.kind = 'signal';
    item.raw = raw;
    item.key = Item.key(record);
    item.sequence = record.sequence;
    item.name = [textual(signal.type), Item.subject(signal.data)].filter(Boolean).join(' · ');
    item.time = instant(record.receivedAt);
    item.index();
    return item;
  }

  /// The subject of a signal, as the signal names it.
  static subject(data) {
    if (!data || typeof data !== 'object') return '';
    const target = data.target && typeof data.target === 'object' ? data.target : data;
    const names = [target.title, target.component, data.currentScreen, data.screen, data.url, data.identifier,
      data.rawEvent?.event, data.rawEvent?.name, data.action];
    return textual(names.find((name) => typeof name === 'string' && name)) || '';
  }

  static key(record) {
    if (record.signal) return `signal\n${record.sequence}`;
    return `${record.writeKey || ''}\n${record.messageId}`;
  }

  constructor(record) {
    this.key = Item.key(record);
    this.messageId = String(record.messageId || '');
    this.writeKey = record.writeKey;
    this.type = String(record.type || 'event');
    this.userId = textual(record.userId);
    this.anonymousId = textual(record.anonymousId);
    this.hint = '';
    this.revision = 0; // grows when something about it changes, so that its row is drawn again
    this.fresh = false;
    this.stages = [];
    this.latency = NaN;
    this.timeProblem = '';
    this.library = '';
  }

  readStored(record, raw) {
    this.kind = 'event';
    this.raw = raw;
    this.sequence = record.sequence;
    this.name = textual(record.name);
    this.hint = this.name ? '' : Item.hint(record);
    this.time = instant(record.storedAt || record.receivedAt);
    this.latency = latencyOf(instant(record.trackedAt), instant(record.storedAt));
    this.timeProblem = textual(record.timeProblem);
    this.library = Item.library(record);
    this.madeOf = record.event?.context?.__eventOrigin?.signal;
    if (Array.isArray(record.stages)) this.attach(record);
    this.revision += 1;
    this.index();
  }

  /// The name that the client gives itself.
  static library(record) {
    const { name, version } = record.event?.context?.library || {};
    return typeof name === 'string' ? [name, textual(version)].filter(Boolean).join(' ') : '';
  }

  /// The text for an event without a name.
  static hint(record) {
    const event = record.event && typeof record.event === 'object' ? record.event : {};
    if (record.type === 'group') return event.groupId ? `group ${event.groupId}` : '';
    if (record.type === 'alias') return event.previousId ? `was ${event.previousId}` : '';
    const traits = event.traits && typeof event.traits === 'object' ? Object.keys(event.traits) : [];
    return traits.length ? `traits: ${traits.slice(0, 8).join(', ')}` : '';
  }

  /// Adds the device's report about the event's path.
  attach(trace, raw) {
    if (raw) this.traceRaw = raw;
    this.stages = (Array.isArray(trace.stages) ? trace.stages : []).filter((stage) => stage);
    this.droppedBy = trace.outcome === 'dropped' ? trace.droppedBy || {} : undefined;
    const trackedAt = instant(trace.trackedAt);
    if (this.kind === 'event' && Number.isFinite(trackedAt)) this.latency = latencyOf(trackedAt, this.time);
    this.revision += 1;
    this.index();
  }

  index() {
    const plugins = this.stages.filter((stage) => stage.outcome !== 'unchanged').map((stage) => stage.plugin);
    this.haystack = [this.type, this.name, this.userId, this.anonymousId, this.messageId, this.droppedBy?.plugin,
      ...plugins].join('\n').toLowerCase();
  }

  has(outcome) {
    return this.with(outcome).length > 0 || (outcome === 'dropped' && this.kind === 'drop');
  }

  /// The stages with an outcome. Stages of the client itself are left out, because every event has them.
  with(outcome) {
    return this.stages.filter((stage) => stage.outcome === outcome && !(outcome === 'changed' && stage.builtIn));
  }

  get user() {
    return this.userId || this.anonymousId;
  }

  /// The plugins' changes to the event, in a few words; undefined when its path has none.
  get verdict() {
    const names = (stages, name) => {
      const all = [...new Set(stages.map((stage) => stage[name] || stage.plugin || stage.stage))];
      return all.length > 1 ? `${all[0]} +${all.length - 1}` : all[0];
    };
    if (this.kind === 'drop') {
      const by = this.droppedBy?.plugin || this.droppedBy?.stage || 'the device';
      return { outcome: 'dropped', text: `dropped by ${by}` };
    }
    const [failed, dropped, changed] = ['failed', 'dropped', 'changed'].map((outcome) => this.with(outcome));
    if (failed.length) return { outcome: 'failed', text: `${names(failed, 'plugin')} failed` };
    if (dropped.length) return { outcome: 'dropped', text: `dropped for ${names(dropped, 'destination')}` };
    if (this.timeProblem) return { outcome: 'failed', text: 'its time cannot be read' };
    if (changed.length) return { outcome: 'changed', text: `changed by ${names(changed, 'plugin')}` };
    // Other clients send no trace; so only the name of the client is known.
    if (this.kind === 'event' && !this.stages.length) {
      return { outcome: 'unknown', text: this.library ? `no trace, ${this.library}` : 'no trace' };
    }
    return undefined;
  }
}

/// Which items the reader wants to see.
export class Filter {
  terms = [];
  types = new Set();
  outcomes = new Set();
  writeKey = '';
  only; // the one type and name that the page was opened for
  conditions = []; // those of the address, which the server judges

  set text(text) {
    this.terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  get active() {
    return this.terms.length + this.types.size + this.outcomes.size > 0;
  }

  clear() {
    this.terms = [];
    this.types.clear();
    this.outcomes.clear();
  }

  matches(item) {
    if (this.writeKey && item.writeKey && item.writeKey !== this.writeKey) return false;
    if (this.types.size && !this.types.has(item.type)) return false;
    if (this.outcomes.size && ![...this.outcomes].some((outcome) => item.has(outcome))) return false;
    return this.terms.every((term) => item.haystack.includes(term));
  }
}

/// The newest events, newest first, each once and up to a bound.
export class Feed {
  items = [];
  waiting = []; // arrived but not shown yet, oldest first
  known = new Map();
  pendingTraces = new Map();
  limit = Limits.rows;
  missed = 0; // waiting events that were dropped for newer ones

  /// Takes an event that the workspace stored. Returns its new item, or nothing when the list has it already.
  stored(record, raw) {
    const key = Item.key(record);
    const old = this.known.get(key);
    if (old) {
      // A list may have events that the interrupted stream did not deliver.
      const knowsMore = Array.isArray(record.stages) && !old.stages.length;
      if (old.kind === 'drop' || knowsMore) old.readStored(record, raw);
      return undefined;
    }
    const item = Item.stored(record, raw);
    const trace = this.pendingTraces.get(key);
    if (trace) item.attach(trace.record, trace.raw);
    this.pendingTraces.delete(key);
    return this.wait(item);
  }

  /// Takes a device's report about an event: it was dropped, or the report adds to a stored event, which may arrive
  /// later.
  trace(record, raw) {
    const key = Item.key(record);
    const old = this.known.get(key);
    if (old) {
      old.attach(record, raw);
      return undefined;
    }
    if (record.outcome === 'dropped') return this.wait(Item.dropped(record, raw));
    this.pendingTraces.set(key, { record, raw });
    if (this.pendingTraces.size > Limits.pendingTraces) {
      this.pendingTraces.delete(this.pendingTraces.keys().next().value);
    }
    return undefined;
  }

  /// Takes a signal.
  signal(record, raw) {
    return this.known.has(Item.key(record)) ? undefined : this.wait(Item.signal(record, raw));
  }

  /// Takes entries that were read from a list, oldest first, into the waiting ones at a place.
  insert(entries, place) {
    const later = this.waiting.splice(place);
    for (const { kind, record, raw } of entries) this[kind](record, raw);
    this.waiting.push(...later);
  }

  wait(item) {
    this.known.set(item.key, item);
    this.waiting.push(item);
    if (this.waiting.length >= 2 * this.limit) this.forget(this.waiting.splice(0, this.limit), true);
    return item;
  }

  forget(items, unseen = false) {
    for (const item of items) this.known.delete(item.key);
    if (unseen) this.missed += items.length;
  }

  get unseen() {
    return this.waiting.length + this.missed;
  }

  /// Moves the waiting items into the list, and highlights those that have just arrived if `highlight` is true.
  show(highlight) {
    const arrived = this.waiting.reverse();
    if (!highlight) for (const item of arrived) item.fresh = false;
    this.items = arrived.concat(this.items);
    this.waiting = [];
    this.missed = 0;
    this.forget(this.items.splice(this.limit));
  }

  /// Takes older entries, newest first, to the end of the list.
  append(entries) {
    this.limit = Limits.rowsWithOlder;
    for (const { kind, record, raw } of entries) {
      if (this.known.has(Item.key(record))) continue;
      const item = Item[{ trace: 'dropped' }[kind] || kind](record, raw);
      this.known.set(item.key, item);
      this.items.push(item);
    }
    this.forget(this.items.splice(this.limit));
  }

  /// The lowest of the workspace's numbers in the list.
  get firstSequence() {
    return Math.min(...this.items.map((item) => item.sequence));
  }

  /// Back to the bound of a list that streams.
  trim() {
    if (this.limit === Limits.rows) return;
    this.limit = Limits.rows;
    this.forget(this.items.splice(this.limit));
  }
}
