// The facts about one person from the stored events: the timeline, devices, traits, groups and former ids.

import { compact, member } from '../api/json.js';
import { Limits } from '../api/limits.js';
import { instant, textual } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

/// When something happened on the device, as far as it is known.
export function happened({ record }) {
  return instant(record.timestamp || record.trackedAt || record.receivedAt);
}

function newestFirst(entries) {
  return entries.sort((one, other) => happened(other) - happened(one) || other.record.sequence - one.record.sequence);
}

/// Pages of a list, newest first. Several lists together make one timeline.
class Stream {
  constructor(path, name, belongs) {
    Object.assign(this, { path, name, belongs, next: undefined, oldest: Infinity });
  }

  get ended() {
    return this.next === null;
  }

  /// The next page: the entries of the person in it.
  async read() {
    const before = this.next ? `&before=${this.next}` : '';
    const page = await Workspace.page(`${this.path}${before}`, this.name);
    this.next = page.next;
    this.oldest = Math.min(this.oldest, ...page.records.map(({ record }) => record.sequence));
    return page.records.filter(({ record }) => this.belongs(record)).map((entry) => ({ ...entry, list: this.name }));
  }
}

/// One person: a user with all devices, or one anonymous id.
export class Person {
  entries = new Map();
  devices = []; // anonymous ids, in the order in which the timeline shows them first
  streams = [];

  /// `id` is a user id, or an anonymous id when `isAnonymous`. `scope` is the query that names the source, and `conditions` that
  /// with the conditions that the events meet.
  constructor(id, isAnonymous, scope, conditions = '') {
    Object.assign(this, { id, isAnonymous, scope, conditions });
  }

  get isUnknown() {
    return !this.entries.size;
  }

  get hasOlder() {
    return this.streams.some((stream) => !stream.ended);
  }

  /// Reads the newest entries of the user, and then the entries that the same devices made before the user was known.
  async start() {
    const query = this.isAnonymous ? 'anonymousId' : 'userId';
    await this.take([this.events(query, this.id, () => true)]);
    if (this.isAnonymous) this.devices = [this.id];
    await this.followDevices();
    // The server cannot search dropped events.
    if (this.conditions) return;
    await this.take([new Stream(`/api/drops?order=desc&limit=${Limits.personDrops}${this.scope}`, 'drops',
      (record) => this.owns(record))], true);
  }

  /// Reads a page more of each list.
  async older() {
    await this.take(this.streams.filter((stream) => !stream.ended));
    await this.followDevices();
  }

  /// Adds the lists of devices that were not known before.
  async followDevices() {
    for (const { record } of newestFirst([...this.entries.values()])) {
      const device = textual(record.anonymousId);
      if (device && !this.devices.includes(device) && this.devices.length < Limits.devices) this.devices.push(device);
    }
    if (this.isAnonymous) return;
    const followed = new Set(this.streams.map((stream) => stream.device));
    const streams = this.devices.filter((device) => !followed.has(device)).map((device) => Object.assign(
      this.events('anonymousId', device, (record) => this.owns(record)), { device }));
    await this.take(streams);
  }

  events(query, value, belongs) {
    const path = `/api/events?order=desc&limit=${Limits.page}&${query}=${encodeURIComponent(value)}${this.scope}${this.conditions}`;
    return new Stream(path, 'events', belongs);
  }

  /// `once` reads one page only.
  async take(streams, once = false) {
    if (!once) this.streams.push(...streams.filter((stream) => !this.streams.includes(stream)));
    for (const found of await Promise.all(streams.map((stream) => stream.read()))) {
      for (const entry of found) this.entries.set(`${entry.record.writeKey}\n${entry.record.messageId}`, entry);
    }
  }

  /// Whether an entry is of this person. A device with a second user has entries of both.
  owns(record) {
    const user = textual(record.userId);
    const device = textual(record.anonymousId);
    if (this.isAnonymous) return device === this.id;
    return user ? user === this.id : this.devices.includes(device);
  }

  /// The entries, newest first. A list that was not read to its end could hold more below its oldest entry,
  /// so nothing older is shown yet.
  get timeline() {
    const complete = Math.max(0, ...this.streams.filter((stream) => !stream.ended).map((stream) => stream.oldest));
    return newestFirst([...this.entries.values()].filter(({ record }) => record.sequence >= complete));
  }

  /// The users of an anonymous id.
  get users() {
    return [...new Set([...this.entries.values()].map(({ record }) => textual(record.userId)).filter(Boolean))];
  }

  /// The newest value of each trait, with the time of the event that set it.
  get traits() {
    return this.newest('identify', ({ node }) => {
      const traits = member(member(node, 'event'), 'traits');
      return (traits?.entries || []).map(([key, value]) => [key, compact(value)]);
    });
  }

  /// The newest traits of each group.
  get groups() {
    return this.newest('group', ({ node }) => {
      const event = member(node, 'event');
      const name = member(event, 'groupId');
      const traits = member(event, 'traits');
      return name ? [[name.value ?? compact(name), traits ? compact(traits) : '']] : [];
    });
  }

  /// The ids that were another name of this person.
  get aliases() {
    return this.newest('alias', ({ record }) => [[textual(record.event?.previousId), textual(record.userId)]]);
  }

  /// Pairs of name and value from the events of a type, each name once with its newest value: `[name, value, time]`.
  newest(type, pairs) {
    const found = new Map();
    for (const entry of this.timeline) {
      if (entry.list !== 'events' || entry.record.type !== type) continue;
      for (const [name, value] of pairs(entry)) {
        if (name && !found.has(name) && found.size < Limits.traits) {
          found.set(name, [name, value, happened(entry)]);
        }
      }
    }
    return [...found.values()];
  }
}

/// The people of the newest events, each once, in the order of their last event.
export async function peopleSeenLately(query) {
  const page = await Workspace.page(`/api/events?order=desc&limit=${Limits.peopleEvents}${query}`, 'events');
  const people = new Map();
  for (const { record } of page.records) {
    const id = textual(record.userId) || textual(record.anonymousId);
    const key = `${record.userId ? 'user' : 'anonymous'}\n${id}`;
    const person = people.get(key) || { id, isAnonymous: !record.userId, events: 0, seen: instant(record.receivedAt) };
    person.events += 1;
    people.set(key, person);
  }
  return { people: [...people.values()], events: page.records.length, left: page.left };
}

