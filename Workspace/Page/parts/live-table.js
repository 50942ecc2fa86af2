// A table that changes while a reader looks at it.

import { element } from './elements.js';
import { table } from './parts.js';
import { visible } from './text.js';

/// Shows rows again and again. Rows and cells stay the same elements and only their texts change, so that the focus, a selection
/// and the place of a reader stay where they are.
export class LiveTable {
  constructor(columns, label) {
    this.columns = columns;
    this.root = table(columns, [], { label });
    this.body = this.root.querySelector('tbody');
  }

  /// Each row is `{cells, isCurrent}`. A cell is a text, or `{text, outcome}` for one with the colours of an outcome.
  show(rows) {
    while (this.body.rows.length > rows.length) this.body.lastElementChild.remove();
    while (this.body.rows.length < rows.length) this.body.append(this.emptyRow());
    rows.forEach(({ cells, isCurrent = false }, index) => {
      const row = this.body.rows[index];
      row.dataset.current = String(isCurrent);
      cells.forEach((cell, column) => LiveTable.fill(row.cells[column].firstChild, cell));
    });
  }

  emptyRow() {
    return element('tr', {}, ...this.columns.map((name) => element('td', { 'data-title': name }, element('span'))));
  }

  static fill(target, cell) {
    const { text: given, outcome } = typeof cell === 'string' ? { text: cell } : cell;
    const text = visible(given);
    if (target.textContent !== text) target.textContent = text;
    target.classList.toggle('state-mark', Boolean(outcome));
    if (outcome) target.dataset.outcome = outcome;
    else delete target.dataset.outcome;
  }
}
