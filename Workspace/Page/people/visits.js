// The sessions of a person: events of one device without a long pause between them.

import { happened } from './person.js';
import { textual } from '../parts/text.js';

/// A pause that ends a session, in milliseconds, for events of apps that name no session.
const Pause = 30 * 60_000;

/// The session that an app named in the context of an event.
function named({ record }) {
  return textual(record.event?.context?.session?.id ?? record.event?.context?.sessionId);
}

/// One session: its entries, newest first, with the times of its first and its last event.
class Visit {
  constructor(entry) {
    const time = happened(entry);
    Object.assign(this, { entries: [entry], first: time, last: time, id: named(entry), device: textual(entry.record.anonymousId) });
  }

  /// Whether an older entry belongs to it.
  takes(entry) {
    const id = named(entry);
    if (id || this.id) return id === this.id;
    return textual(entry.record.anonymousId) === this.device && this.first - happened(entry) <= Pause;
  }

  add(entry) {
    this.entries.push(entry);
    this.first = Math.min(this.first, happened(entry));
    this.last = Math.max(this.last, happened(entry));
  }

  get milliseconds() {
    return this.last - this.first;
  }
}

/// The sessions of a timeline, the newest first. An entry without a known time belongs to none.
export function visitsOf(timeline) {
  const open = [];
  for (const entry of timeline) {
    if (!Number.isFinite(happened(entry))) continue;
    const visit = open.find((one) => one.takes(entry));
    if (visit) visit.add(entry);
    else open.push(new Visit(entry));
  }
  return open;
}

/// A length of time in words.
export function lengthOf(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
