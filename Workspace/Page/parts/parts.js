// Parts that several places share: tables and forms.

import { element } from './elements.js';
import { sortable } from './sorting.js';

/// A table. `columns` are titles; each row is a list of texts and elements. The titles sort the rows.
export function table(columns, rows, attributes = {}) {
  const titles = columns.map((name) => element('th', { scope: 'col' }, name));
  const cells = (row) => row.map((cell, index) => element('td', { 'data-title': columns[index] }, cell));
  const body = element('tbody', {}, ...rows.map((row) => element('tr', row.attributes || {}, ...cells(row))));
  sortable(titles, body, attributes.label);
  return element('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': attributes.label },
    element('table', {}, element('thead', {}, element('tr', {}, ...titles)), body));
}

export function button(label, click, attributes = {}) {
  return element('button', { class: 'button', type: 'button', click, ...attributes }, label);
}

/// Saves a text as a file of the reader's.
export function saveFile(name, text, type) {
  const link = element('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

/// A labelled part of a form. `help` explains it.
export function field(label, input, help) {
  return element('label', { class: 'field' }, element('span', { class: 'field-name' }, label), input,
    help ? element('span', { class: 'help' }, help) : undefined);
}

export function textInput(value = '', attributes = {}) {
  const input = element('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', ...attributes });
  input.value = value;
  return input;
}

/// A choice of values, each `[value, label]`.
export function choice(values, chosen, attributes = {}) {
  const select = element('select', attributes,
    ...values.map(([value, label]) => element('option', { value }, label)));
  select.value = chosen;
  return select;
}

/// A part of a place, with a title and buttons beside it.
export function part(title, actions, ...children) {
  return element('section', { class: 'part' },
    element('div', { class: 'part-head' }, element('h2', {}, title),
      element('div', { class: 'actions' }, ...actions.filter(Boolean))),
    ...children);
}

export function note(text, outcome) {
  return element('p', { class: 'note', 'data-outcome': outcome }, text);
}

/// The text of an empty place, with a suggestion for the next step.
export function nothing(title, text, ...more) {
  return element('div', { class: 'nothing' }, element('h2', {}, title), element('p', {}, text), ...more);
}
