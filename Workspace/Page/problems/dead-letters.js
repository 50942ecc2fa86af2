// The dead letters of a destination: which events they are, why they were refused, and sending them again.

import { TimeTable } from '../parts/details.js';
import { element } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { Limits } from '../api/limits.js';
import { button, note, table, textInput } from '../parts/parts.js';
import { Address } from '../places/places.js';
import { count, plural, textual } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

export class DeadLetters {
  /// `path` is that of the destination. `retry` gets a button and the numbers of letters, and sends them again; without it the
  /// reader may only look. `more` are further buttons.
  constructor({ source, path, retry, more = [] }) {
    Object.assign(this, { source, path, retry, more });
    this.chosen = new Set();
    this.events = new Map(); // by message id, as far as they are known
    this.table = element('div');
    this.status = element('p', { class: 'note', role: 'status' });
  }

  async draw(root) {
    const { deadLetters } = await Workspace.json(`${this.path}/dead-letters?limit=${Limits.deadLetters}`);
    this.letters = deadLetters;
    this.find = textInput('', {
      'aria-label': 'Find dead letters', placeholder: 'Find a name, a user, a reason, a message', input: () => this.show(),
    });
    root.replaceChildren(element('div', { class: 'actions' }, this.find, ...this.actions()), this.status, this.table);
    this.show();
    await this.readEvents();
  }

  actions() {
    if (!this.retry) return [];
    this.retryFound = button('Send all again', (event) => this.retry(event.target, this.isSearch ? this.found.map(({ sequence }) => sequence) : undefined));
    this.retryChosen = button('Send chosen again', (event) => this.retry(event.target, [...this.chosen]));
    return [this.retryFound, this.retryChosen, ...this.more];
  }

  /// Reads which events they are, some at a time. Only the newest part of many letters is read.
  async readEvents() {
    const ids = [...new Set(this.letters.map(({ messageId }) => messageId))].slice(0, Limits.deadLetterEvents);
    const work = async () => {
      for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
        const event = await Workspace.json(`/api/events/${encodeURIComponent(id)}`, { isQuiet: true }).catch(() => undefined);
        if (!this.table.isConnected) return;
        if (event) this.events.set(id, event);
      }
    };
    await Promise.all(Array.from({ length: Limits.problemRequests }, work));
    this.show();
  }

  get isSearch() {
    return this.find.value.trim() !== '';
  }

  show() {
    const terms = this.find.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.found = this.letters.filter((letter) => {
      const event = this.events.get(letter.messageId);
      const text = [letter.messageId, letter.reason, event?.name, event?.type, event?.userId, event?.anonymousId].map(textual).join('\n').toLowerCase();
      return terms.every((term) => text.includes(term));
    });
    this.status.textContent = this.isSearch ? `${plural(this.found.length, 'dead letter')} of ${count(this.letters.length)} ${this.found.length === 1 ? 'has' : 'have'} these words.` : '';
    this.status.hidden = !this.isSearch;
    if (this.retry) {
      this.retryFound.textContent = this.isSearch ? 'Send found again' : 'Send all again';
      this.retryFound.disabled = !this.found.length;
    }
    this.judge();
    this.table.replaceChildren(table(['', 'Event', 'User', 'Message', 'Reason', 'Attempts', 'Failed', ''],
      this.found.map((letter) => this.row(letter)), { label: 'Dead letters' }));
  }

  judge() {
    if (this.retry) this.retryChosen.disabled = !this.chosen.size;
  }

  row(letter) {
    const { messageId, sequence, reason, attempts, at } = letter;
    const event = this.events.get(messageId);
    const address = Address.ofEvent(messageId, `?source=${encodeURIComponent(this.source.writeKey)}`);
    const box = this.retry ? element('input', {
      type: 'checkbox', 'aria-label': `Choose ${messageId}`, change: (change) => {
        if (change.target.checked) this.chosen.add(sequence);
        else this.chosen.delete(sequence);
        this.judge();
      },
    }) : '';
    if (box) box.checked = this.chosen.has(sequence);
    const again = this.retry ? button('Send again', (press) => begin(() => this.retry(press.target, [sequence])), {
      class: 'button small', 'aria-label': `Send ${messageId} again`,
    }) : '';
    return [box, event ? textual(event.name) || event.type : '…', event ? textual(event.userId) || textual(event.anonymousId) : '…',
      element('a', { href: address }, element('code', {}, messageId)), reason || '', count(attempts), TimeTable.long(Date.parse(at)), again];
  }
}
