// The HTTP interface of the workspace, and its stream.

import { on } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { ExactJSON, member } from './json.js';
import { Limits, RetryDelays } from './limits.js';
import { isLoggingIn, loggedInAgain } from '../parts/login-dialog.js';
import { presence } from './presence.js';

/// The workspace's HTTP interface.
export class Workspace {
  /// The text of an answer. `isQuiet` marks a request that no reader waits for.
  static async text(path, { isQuiet, ...options } = {}) {
    const { response, text } = await Workspace.request(path, options, isQuiet);
    if (response.ok) return text;
    let reason = `status ${response.status}`;
    try {
      reason = JSON.parse(text).error || reason;
    } catch {
      // An answer of another server, such as a proxy, has only its status.
    }
    throw Object.assign(new Error(reason), { status: response.status });
  }

  /// Asks the server, and once more when the reader has to log in first.
  static async request(path, options, isQuiet) {
    const ask = () => presence.watch(async () => {
      const response = await fetch(path, { headers: { Accept: 'application/json' }, cache: 'no-store', ...options });
      return { response, text: await response.text() };
    }, isQuiet);
    const first = await ask();
    if (first.response.status !== 401) return first;
    await loggedInAgain();
    return ask();
  }

  static async json(path, options = undefined) {
    return JSON.parse(await Workspace.text(path, options));
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

  /// The records of a list answer, where the next page begins (null at the end), and how many events a search did not look
  /// at yet.
  static async page(path, name, options = undefined) {
    const text = await Workspace.text(path, options);
    const answer = ExactJSON.parse(text);
    const records = (member(answer, name)?.items || []).map((node) => {
      const raw = text.slice(node.start, node.end);
      return { record: JSON.parse(raw), raw, node };
    });
    const next = member(answer, 'next');
    const left = member(answer, 'search', 'left');
    return { records, next: next?.kind === 'number' ? next.text : null, left: Number(left?.text || 0) };
  }

  static source(writeKey, name) {
    return `/api/sources/${encodeURIComponent(writeKey)}/${name}`;
  }
}

/// The stream of events. It opens again by itself, for as long as the page is open.
export class Connection {
  attempts = 0;
  heardAt = undefined; // when the last message came; the server sends one at least each 15 seconds

  /// `changed` gets "connecting", "live" or "lost"; `received` gets the kind of a message and its text.
  constructor({ changed, received }) {
    Object.assign(this, { changed, received });
    on(window, 'online', () => { if (this.isWanted) this.open(); });
  }

  open() {
    this.isWanted = true;
    clearTimeout(this.timer);
    if (isLoggingIn()) {
      this.openLater();
      return;
    }
    this.stream?.close();
    const stream = new EventSource('/api/stream');
    this.stream = stream;
    on(stream, 'open', () => {
      this.attempts = 0;
      this.heard();
      begin(() => this.changed('live'));
    });
    // The browser would try again by itself, but not after every kind of failure and not at once.
    on(stream, 'error', () => this.lost());
    on(stream, 'alive', () => this.heard());
    for (const kind of ['event', 'trace', 'signal', 'stats']) {
      on(stream, kind, (message) => {
        this.heard();
        this.received(kind, message.data);
      });
    }
  }

  /// Ends the stream.
  close() {
    this.isWanted = false;
    clearTimeout(this.timer);
    this.stream?.close();
  }

  heard() {
    this.heardAt = Date.now();
    presence.answered(this.heardAt);
  }

  /// Opens the stream again when nothing came for longer than the server is ever silent.
  check() {
    if (this.stream?.readyState === EventSource.OPEN && Date.now() - this.heardAt > Limits.streamSilence) this.lost();
  }

  lost() {
    this.stream.close();
    begin(() => this.changed('lost'));
    // A stream does not say why it failed. When the login is over, the reader logs in again.
    Workspace.text('/api/login', { isQuiet: true }).catch(() => {});
    this.openLater();
  }

  openLater() {
    const delay = RetryDelays[Math.min(this.attempts, RetryDelays.length - 1)];
    this.attempts += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), delay);
  }
}
