// The last queries of this browser for a source. The server does not get them.

import { element } from '../parts/elements.js';
import { Limits } from '../api/limits.js';
import { button, note, part } from '../parts/parts.js';
import { shortened } from '../parts/text.js';

export class LastQueries {
  /// `take` gets the text of a query that was pressed.
  constructor(writeKey, take) {
    Object.assign(this, { name: `queries of ${writeKey}`, take });
    this.list = element('ul', { class: 'queries', id: 'last-queries' });
    this.root = part('Last queries', [button('Forget them', () => this.forget(), { class: 'button small' })], this.list);
    this.draw();
  }

  get all() {
    try {
      const all = JSON.parse(localStorage.getItem(this.name));
      return Array.isArray(all) ? all.filter((text) => typeof text === 'string') : [];
    } catch {
      return []; // The browser keeps nothing for this page, or another program wrote there.
    }
  }

  get newest() {
    return this.all[0];
  }

  keep(text) {
    const all = [text, ...this.all.filter((other) => other !== text)].slice(0, Limits.queries);
    try {
      localStorage.setItem(this.name, JSON.stringify(all));
    } catch {
      return; // The browser has no room. The query itself is in the field.
    }
    this.draw();
  }

  forget() {
    localStorage.removeItem(this.name);
    this.draw();
  }

  draw() {
    const { all } = this;
    this.root.hidden = !all.length;
    this.list.replaceChildren(...all.map((text) => element('li', {},
      button(shortened(text.replace(/\s+/g, ' '), Limits.sqlCell), () => this.take(text), { class: 'link', title: text }))),
    ...(all.length ? [element('li', {}, note('This browser keeps them. The server does not.'))] : []));
  }
}
