// Sessions: the signals that one device sent without a long pause.

import { Item } from '../events/events.js';
import { member } from '../api/json.js';
import { Limits } from '../api/limits.js';
import { instant, textual } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

/// A broadcaster leaves the texts of these members readable.
const Readable = {
  navigation: ['action', 'screen', 'currentScreen', 'previousScreen'], interaction: ['component'],
  network: ['action', 'url', 'method', 'statusCode', 'status', 'ok', 'contentType', 'requestId'],
  localData: ['action', 'identifier'], instrumentation: ['type'],
};

/// Whether a broadcaster has made a signal unreadable: all letters are X, all digits 9.
export function isUnreadable(signal) {
  const parts = [];
  const collect = (value) => {
    if (value !== null && typeof value === 'object') Object.values(value).forEach(collect);
    else if (value !== null) parts.push(value === 'true/false' ? 'X' : String(value));
  };
  for (const [key, value] of Object.entries(signal.data || {})) {
    if (!Readable[signal.type]?.includes(key)) collect(value);
  }
  const letters = parts.join('').match(/[\p{L}\p{N}]/gu) || [];
  return letters.length > 0 && letters.every((letter) => letter === 'X' || letter === '9');
}

/// One signal of a session; `raw` is its JSON text.
class Signal {
  constructor({ record, raw, node }) {
    const signal = member(node, 'signal');
    this.item = Item.signal(record, raw);
    this.sequence = record.sequence;
    this.device = textual(record.signal.anonymousId);
    this.type = textual(record.signal.type);
    this.isUnreadable = isUnreadable(record.signal);
    this.time = instant(record.signal.timestamp) || instant(record.receivedAt);
    this.node = signal;
    this.raw = raw.slice(signal.start - node.start, signal.end - node.start);
  }
}

/// The signals that one device sent without a pause of `Limits.sessionPause`.
export class Session {
  constructor(signals) {
    this.signals = signals;
  }

  /// Names the session in an address: the workspace's number of its first signal.
  get id() {
    return String(this.signals[0].sequence);
  }

  get device() {
    return this.signals[0].device;
  }

  get start() {
    return this.signals[0].time;
  }

  get duration() {
    return this.signals.at(-1).time - this.start;
  }

  /// How many of its signals a broadcaster has made unreadable.
  get unreadable() {
    return this.signals.filter((signal) => signal.isUnreadable).length;
  }

  /// The number of signals of each type, the most frequent first.
  get types() {
    const counts = new Map();
    for (const { type } of this.signals) counts.set(type, (counts.get(type) || 0) + 1);
    return [...counts].sort((one, other) => other[1] - one[1]);
  }

  /// The sessions of signals, the newest first.
  static all(signals) {
    const open = new Map();
    const sessions = [];
    for (const signal of signals.toSorted((one, other) => one.time - other.time || one.sequence - other.sequence)) {
      let session = open.get(signal.device);
      if (!session || signal.time - session.signals.at(-1).time > Limits.sessionPause) {
        session = new Session([]);
        sessions.push(session);
        open.set(signal.device, session);
      }
      session.signals.push(signal);
    }
    return sessions.reverse();
  }

  /// The sessions in the newest signals of a source, and whether there are older signals.
  static async read(writeKey) {
    const page = await Workspace.page(
      `/api/signals?order=desc&limit=${Limits.signals}&writeKey=${encodeURIComponent(writeKey)}`, 'signals');
    return { sessions: Session.all(page.records.map((entry) => new Signal(entry))), hasOlder: page.next !== null };
  }
}
