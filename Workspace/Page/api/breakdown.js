// A breakdown of events by the values of a property: the server reads the events one by one and reports its progress.

import { loggedInAgain } from '../parts/login-dialog.js';

export class Breakdown {
  /// `query` is the query of the HTTP interface; `came` gets each line of the answer, with `progress`, `partial` or
  /// `result`. `path` is that of another search that answers so; one that is sent with POST has a `body` of a `type`.
  constructor(query, came, { path = '/api/breakdown', method = 'GET', type = undefined, body = undefined } = {}) {
    Object.assign(this, { query, came, path, method, type, body });
    this.leaving = new AbortController();
  }

  /// Returns when the server has read all events, or `stop` was called.
  async run() {
    try {
      let response = await this.ask();
      if (response.status === 401) {
        await loggedInAgain();
        response = await this.ask();
      }
      if (!response.ok) throw Object.assign(new Error(await Breakdown.reason(response)), { status: response.status });
      await this.read(response.body.getReader());
    } catch (error) {
      if (!this.leaving.signal.aborted) throw error;
    }
  }

  ask() {
    return fetch(`${this.path}?${this.query}`, {
      method: this.method, body: this.body, cache: 'no-store', signal: this.leaving.signal,
      headers: { Accept: 'application/x-ndjson', ...(this.type ? { 'Content-Type': this.type } : {}) },
    });
  }

  stop() {
    this.leaving.abort();
  }

  async read(reader) {
    const decoder = new TextDecoder();
    let rest = '';
    let isWhole = false;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.error) throw new Error(message.error);
        isWhole ||= Boolean(message.result);
        this.came(message);
      }
    }
    if (!isWhole) throw new Error('The answer of the server broke off');
  }

  static async reason(response) {
    try {
      return (await response.json()).error;
    } catch {
      return `status ${response.status}`;
    }
  }
}
