// The tables that a query can read, with their columns, to look up and to write into the query.

import { element } from '../parts/elements.js';
import { note, part, textInput } from '../parts/parts.js';
import { plural } from '../parts/text.js';

export class TableList {
  /// `write` gets the name of a table or a column that was pressed.
  constructor(write) {
    this.write = write;
    this.find = textInput('', {
      id: 'find-table', 'aria-label': 'Find a table or a column', placeholder: 'Find a table or a column', input: () => this.draw(),
    });
    this.list = element('div', { id: 'tables', class: 'tables' }, note('Reading the newest events …'));
    this.known = new Map();
    this.root = part('Tables', [], this.find, this.list);
  }

  /// Adds tables: those of the newest events come first, and each query may have others.
  show(tables) {
    for (const { name, columns } of tables) this.known.set(name, [...new Set([...(this.known.get(name) ?? []), ...columns])]);
    this.draw();
  }

  failed(error) {
    if (!this.known.size) this.list.replaceChildren(note(`The tables cannot be listed: ${error.message}.`, 'failed'));
  }

  draw() {
    const term = this.find.value.trim().toLowerCase();
    const found = [...this.known].sort(([one], [other]) => one.localeCompare(other, 'en')).map(([name, columns]) => ({
      name, all: columns.length, columns: name.includes(term) ? columns : columns.filter((column) => column.includes(term)),
    })).filter(({ columns }) => columns.length);
    const isOpen = new Set([...this.list.querySelectorAll('details[open]')].map(({ dataset }) => dataset.table));
    this.list.replaceChildren(...found.map((one) => this.table(one, Boolean(term) || isOpen.has(one.name))));
    if (!this.known.size) this.list.replaceChildren(note('No event is stored yet, so there is no table.'));
    else if (!found.length) this.list.replaceChildren(note('No table or column is called so.'));
    else this.list.append(note('The tables of the newest events and of your queries. Press a name to write it into the query.'));
  }

  table({ name, columns, all }, isOpen) {
    const word = (text) => element('button', { class: 'link', type: 'button', click: () => this.write(text) }, text);
    return element('details', { 'data-table': name, open: isOpen },
      element('summary', {}, element('code', {}, name), element('span', { class: 'soft' }, plural(all, 'column'))),
      element('div', { class: 'columns' }, word(name), ...columns.map(word)));
  }
}
