// Whether the server answers. It knows every request of the page, and asks by itself when there is none.

import { begin } from '../parts/guard.js';
import { Limits } from './limits.js';

/// Tells its listeners when something changed. Times are milliseconds since 1970.
class Presence {
  open = new Set(); // requests that the reader waits for
  listeners = new Set();
  answeredAt = Date.now(); // the last answer, whatever it was
  shownAt = Date.now(); // the last answer with something that the page shows
  awaySince = undefined;

  /// Calls a listener after each change.
  listen(listener) {
    this.listeners.add(listener);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }

  /// Carries out a request. A quiet request is one of the page itself, for which no reader waits.
  async watch(work, isQuiet = false) {
    const request = { isLong: false };
    if (!isQuiet) this.waitFor(request);
    try {
      const result = await work();
      this.answered(isQuiet ? undefined : Date.now());
      return result;
    } catch (error) {
      // The browser gives this error when there is no connection, and for a request that cannot be sent.
      if (error instanceof TypeError && !await this.ask()) throw new Error('the server does not answer');
      throw error;
    } finally {
      clearTimeout(request.long);
      clearTimeout(request.slow);
      if (this.open.delete(request)) this.changed();
    }
  }

  waitFor(request) {
    this.open.add(request);
    request.long = setTimeout(() => {
      request.isLong = true;
      this.changed();
    }, Limits.progressDelay);
    // A request may take long because there is much to do. Another one shows whether the server is there.
    request.slow = setTimeout(() => begin(() => this.ask()), Limits.slowRequest);
  }

  /// Whether the reader waits for longer than a moment.
  get isSlow() {
    return [...this.open].some((request) => request.isLong);
  }

  answered(shownAt) {
    this.answeredAt = Date.now();
    if (shownAt) this.shownAt = shownAt;
    const wasAway = this.awaySince !== undefined;
    this.awaySince = undefined;
    if (wasAway) this.changed();
  }

  away() {
    if (this.awaySince !== undefined) return;
    this.awaySince = this.answeredAt;
    this.changed();
  }

  /// Asks the server now and again while the page is seen.
  start() {
    const ask = () => begin(() => this.ask());
    setInterval(() => {
      if (!document.hidden && Date.now() - this.answeredAt >= this.pause) ask();
    }, Limits.pulse / 5);
    document.addEventListener('visibilitychange', () => { if (!document.hidden) ask(); });
    window.addEventListener('online', ask);
  }

  get pause() {
    return this.awaySince === undefined ? Limits.pulse : 0;
  }

  /// Asks whether the server is there.
  ask() {
    this.asking ||= this.look().finally(() => { this.asking = undefined; });
    return this.asking;
  }

  async look() {
    try {
      const answer = await fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(Limits.pulsePatience) });
      // A proxy answers in place of a server that is away.
      if (answer.status === 502 || answer.status === 504) this.away();
      else this.answered();
    } catch {
      this.away();
    }
    return this.awaySince === undefined;
  }
}

export const presence = new Presence();
