// Queries in SQL over the events of a source: a text, its answer as a table and a chart, and the tables to look up.

import { Breakdown } from '../api/breakdown.js';
import { Editor } from '../forms/editor.js';
import { element, on } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { Limits } from '../api/limits.js';
import { Messages } from '../parts/messages.js';
import { button, choice, note, nothing, part } from '../parts/parts.js';
import { Address } from './places.js';
import { LastQueries } from '../views/last-queries.js';
import { SQLAnswer } from '../charts/sql-answer.js';
import { TableList } from '../charts/table-list.js';
import { firstDay } from '../charts/series.js';
import { plural } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

const Periods = [['7', '7 days'], ['30', '30 days'], ['90', '90 days'], ['all', 'all events']];
const Example = `-- ${navigator.platform.startsWith('Mac') ? '⌘-Enter' : 'Ctrl-Enter'} asks
SELECT date(timestamp) AS day, count(*) AS events
FROM tracks
GROUP BY day
ORDER BY day`;

export class SQLPlace {
  constructor(root, surroundings) {
    Object.assign(this, { root, source: surroundings.source });
    this.last = new LastQueries(this.source.writeKey, (text) => this.take(text));
    this.tables = new TableList((name) => this.editor.insert(name));
    this.status = element('div', { id: 'sql-status', role: 'status' });
    this.result = element('div', { id: 'sql-result', class: 'sql-result' });
  }

  get period() {
    return Address.oneOf('days', Periods, '30');
  }

  async start() {
    this.editor = new Editor({ id: 'sql-text', label: 'Query', value: this.last.newest ?? Example, language: 'sql', rows: '8' });
    this.ask = button('Ask', () => this.run(), { id: 'ask', class: 'button strong' });
    const period = choice(Periods, this.period, {
      id: 'period', 'aria-label': 'Events of', change: ({ target }) => Address.set({ days: target.value === '30' ? '' : target.value }),
    });
    on(this.editor.root, 'keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return undefined;
      event.preventDefault();
      return this.run();
    }, { capture: true });
    this.root.replaceChildren(element('div', { class: 'two wide-left' },
      element('div', {}, part('SQL', [period, this.ask], this.editor.root, this.status, this.result), this.last.root),
      element('div', { class: 'beside' }, this.tables.root)));
    await this.editor.open();
    begin(() => this.list());
  }

  /// Call it when the place is left.
  close() {
    this.query?.stop();
    this.answer?.close();
  }

  take(text) {
    this.editor.value = text;
    this.editor.focus();
  }

  // Asking

  /// Asks the server. Cancelling the last query takes it a moment, so a refusal right behind it is tried again.
  async send(text, came, retries = Limits.sqlRetries) {
    const query = new URLSearchParams();
    if (text && this.period !== 'all') query.set('since', firstDay(this.period));
    const asked = new Breakdown(query, came, {
      path: Workspace.source(this.source.writeKey, 'sql'), method: 'POST', type: 'application/sql', body: text,
    });
    this.query = asked;
    try {
      await asked.run();
    } catch (error) {
      if (error.status !== 429 || !retries || !this.hasStopped) throw error;
      await new Promise((done) => { setTimeout(done, Limits.sqlPause); });
      if (this.query === asked) return this.send(text, came, retries - 1);
    }
    return asked;
  }

  /// Shows the tables of the newest events.
  async list() {
    this.listing = this.send('', ({ result }) => { if (result) this.tables.show(result.tables); });
    try {
      await this.listing;
    } catch (error) {
      this.tables.failed(error);
    }
  }

  stop() {
    this.hasStopped = true;
    this.query?.stop();
  }

  async run() {
    const text = this.editor.value.trim();
    if (this.isAsking) return;
    if (!text) {
      Messages.said('Write a query first.', 'failed');
      return;
    }
    this.isAsking = true;
    this.ask.disabled = true;
    this.editor.show([]);
    this.status.replaceChildren(this.progress(0));
    try {
      await this.listing?.catch(() => {});
      this.last.keep(text);
      await this.answered(text);
    } catch (error) {
      this.status.replaceChildren();
      this.result.replaceChildren();
      this.editor.show([SQLPlace.finding(error.message)]);
    } finally {
      this.isAsking = false;
      this.ask.disabled = false;
    }
  }

  async answered(text) {
    const begun = performance.now();
    let found;
    const asked = await this.send(text, ({ progress, result }) => {
      if (progress) this.words.textContent = `${plural(progress.events, 'event')} read`;
      found = result ?? found;
    });
    if (asked.leaving.signal.aborted) {
      this.status.replaceChildren(note('The query was cancelled.', 'changed'));
      return;
    }
    this.status.replaceChildren();
    this.tables.show(found.tables);
    this.answer?.close();
    this.answer = new SQLAnswer(found, performance.now() - begun);
    this.result.replaceChildren(found.events ? this.answer.root : nothing('No event came in this time', 'Choose a longer period.'),
      ...(found.events ? [] : [this.answer.root]));
    begin(() => this.answer.open());
  }

  progress(events) {
    this.words = element('span', { class: 'progress-text' }, events ? `${plural(events, 'event')} read` : 'Reading events …');
    return element('div', { class: 'actions' }, element('progress', { 'aria-label': 'Progress' }), this.words,
      button('Cancel', () => this.stop(), { id: 'cancel' }));
  }

  /// An error of the server, with the line that it names.
  static finding(message) {
    const [, line, column, words] = /^line (\d+), column (\d+): (.*)$/s.exec(message) || [];
    return line ? { severity: 'error', line: Number(line), message: `column ${column}: ${words}` } : { severity: 'error', message };
  }
}
