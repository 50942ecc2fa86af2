// The HTTP interface of the workspace, and its stream.

import { ExactJSON, member } from './json.js';
import { RetryDelays } from './limits.js';

/// The workspace's HTTP interface.
export class Workspace {
  static async text(path, options = {}) {
    const response = await fetch(path, { headers: { Accept: 'application/json' }, cache: 'no-store', ...options });
    const text = await response.text();
    if (response.ok) return text;
    if (response.status === 401) Workspace.login();
    let reason = `status ${response.status}`;
    try {
      reason = JSON.parse(text).error || reason;
    } catch {
      // An answer of another server, such as a proxy, has only its status.
    }
    throw new Error(reason);
  }

  static async json(path) {
    return JSON.parse(await Workspace.text(path));
  }

  /// The workspace's answer to a request with a JSON text.
  static async answer(path, text, method = 'POST', type = 'application/json', signal = undefined) {
    const headers = { Accept: 'application/json', 'Content-Type': type };
    return JSON.parse(await Workspace.text(path, { method, headers, body: text, signal }));
  }

  /// The workspace's answer to a request with a value.
  static send(method, path, value = {}) {
    return Workspace.answer(path, JSON.stringify(value), method);
  }

  static async remove(path) {
    return JSON.parse(await Workspace.text(path, { method: 'DELETE', headers: { Accept: 'application/json' } }));
  }

  /// The records of a list answer, each with its own JSON text.
  static async records(path, name) {
    return (await Workspace.page(path, name)).records;
  }

  /// The records of a list answer, and where the next page begins; null at the end.
  static async page(path, name) {
    const text = await Workspace.text(path);
    const answer = ExactJSON.parse(text);
    const records = (member(answer, name)?.items || []).map((node) => {
      const raw = text.slice(node.start, node.end);
      return { record: JSON.parse(raw), raw, node };
    });
    const next = member(answer, 'next');
    return { records, next: next?.kind === 'number' ? next.text : null };
  }

  /// The login has ended, or another token was made.
  static login() {
    const place = location.pathname + location.search;
    window.location.assign(place === '/' ? '/login' : `/login?to=${encodeURIComponent(place)}`);
  }

  static source(writeKey, name) {
    return `/api/sources/${encodeURIComponent(writeKey)}/${name}`;
  }
}

/// The stream of events. It opens again by itself, for as long as the page is open.
export class Connection {
  attempts = 0;

  /// `changed` gets "connecting", "live" or "lost"; `received` gets the kind of a message and its text.
  constructor({ changed, received }) {
    Object.assign(this, { changed, received });
    window.addEventListener('online', () => this.open());
  }

  open() {
    clearTimeout(this.timer);
    this.stream?.close();
    const stream = new EventSource('/api/stream');
    this.stream = stream;
    stream.addEventListener('open', () => {
      this.attempts = 0;
      this.changed('live');
    });
    // The browser would try again by itself, but not after every kind of failure and not at once.
    stream.addEventListener('error', () => this.lost());
    for (const kind of ['event', 'trace', 'signal', 'stats']) {
      stream.addEventListener(kind, (message) => this.received(kind, message.data));
    }
  }

  lost() {
    this.stream.close();
    this.changed('lost');
    // A stream does not say why it failed. When the login is over, this leads to the next one.
    Workspace.text('/api/stats').catch(() => {});
    const delay = RetryDelays[Math.min(this.attempts, RetryDelays.length - 1)];
    this.attempts += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), delay);
  }
}
