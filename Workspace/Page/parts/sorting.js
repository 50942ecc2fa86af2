// Tables that a reader can sort by a column.

import { element } from './elements.js';

/// The order of each table that the reader sorted, by its place and name, so that it stays when the table is drawn again.
const orders = new Map();

/// How much the units of times and sizes are worth, in milliseconds and bytes.
const Units = { s: 1e3, min: 6e4, h: 36e5, days: 864e5, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/// The text of a cell, and its number if it begins with one: `1,234`, `− 5 %`, `v12`, `3 min`.
function keyOf(row, column) {
  const text = row.cells[column].textContent.trim();
  const [found, minus, digits, unit] = /^[v+]?\s?(−|-)?\s?(\d[\d,]*(?:\.\d+)?)(?![\d-])\s?(\w*)/.exec(text) || [];
  return { text, number: found ? Number(`${minus ? '-' : ''}${digits.replaceAll(',', '')}`) * (Units[unit] || 1) : NaN };
}

/// Compares two keys. Cells without a value come last, whatever the direction.
function compare(one, other, direction) {
  const isEmpty = ({ text }) => text === '' || text === '–';
  if (isEmpty(one) || isEmpty(other)) return Number(isEmpty(one)) - Number(isEmpty(other));
  const difference = Number.isFinite(one.number) && Number.isFinite(other.number) ? one.number - other.number
    : one.text.localeCompare(other.text, 'en', { numeric: true });
  return difference * direction;
}

/// Makes buttons of the titles of columns with texts.
export function sortable(titles, body, label) {
  const rows = [...body.rows];
  if (rows.length < 2) return;
  const name = `${location.pathname} ${label}`;
  const sort = (column, direction) => {
    const keys = new Map(rows.map((row) => [row, keyOf(row, column)]));
    body.append(...[...rows].sort((one, other) => compare(keys.get(one), keys.get(other), direction)));
    titles.forEach((title, index) => {
      if (index === column) title.setAttribute('aria-sort', direction > 0 ? 'ascending' : 'descending');
      else title.removeAttribute('aria-sort');
    });
    orders.set(name, { column, direction });
  };
  titles.forEach((title, column) => {
    const hasTexts = rows.every((row) => row.cells[column] && !row.cells[column].querySelector('button, input, svg'))
      && rows.some((row) => row.cells[column].textContent.trim());
    if (!title.textContent || !hasTexts) return;
    title.replaceChildren(element('button', {
      class: 'sort', type: 'button', click: () => {
        // Numbers are looked at from the largest on.
        const first = rows.some((row) => Number.isFinite(keyOf(row, column).number)) ? -1 : 1;
        const now = { ascending: 1, descending: -1 }[title.getAttribute('aria-sort')];
        sort(column, now ? -now : first);
      },
    }, title.textContent));
  });
  const known = orders.get(name);
  if (known && titles[known.column]?.querySelector('.sort')) sort(known.column, known.direction);
}
