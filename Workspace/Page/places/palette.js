// Finds places, sources and actions by a few letters (Ctrl-K), and shows the keys of the page (?).

import { byId, element, on } from '../parts/elements.js';
import { button, nothing } from '../parts/parts.js';
import { Address, knownPlaces } from './places.js';

const Keys = [
  ['Ctrl-K', 'Find places, sources and actions'], ['?', 'Show these keys'], ['Esc', 'Close what is open'],
  ['/', 'Events: go to the filter'], ['Space', 'Events: pause, or go on'], ['↑ ↓', 'Events: choose a row'],
  ['Page ↑ ↓, Home, End', 'Events: choose a row further away'], ['Enter', 'Events: open the row'],
  ['Ctrl-Enter', 'SQL: ask'],
];

/// Whether a key press belongs to a text.
function isWriting(target) {
  return Boolean(target.closest('input, textarea, select'));
}

/// What the reader can do now: `{words, kind, act}`.
function choices() {
  const places = knownPlaces().map(({ name, path, group }) => (
    { words: name, kind: group, act: () => Address.visit(Address.of(path)) }));
  const source = byId('source');
  const sources = source.hidden ? [] : [...source.options].map((option) => ({
    words: option.textContent, kind: 'Source', act: () => {
      source.value = option.value;
      source.dispatchEvent(new Event('change'));
    },
  }));
  // The buttons of tables and lists act on a row, which a list of actions does not show.
  const buttons = [...document.querySelectorAll('main button.button, .live button, .deployed button, .account form button')]
    .filter((one) => one.getClientRects().length && !one.disabled && !one.closest('td, li, .card, .editor'));
  const actions = buttons.map((one) => ({ words: one.textContent.trim(), kind: 'Action', act: () => one.click() }));
  return [...places, ...actions, ...sources];
}

export class Palette {
  listen() {
    on(document, 'keydown', (event) => this.key(event));
    on(byId('palette-button'), 'click', () => this.open());
  }

  key(event) {
    if (document.querySelector('dialog[open]')) return;
    const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
    const isHelp = event.key === '?' && !event.ctrlKey && !event.metaKey && !event.altKey && !isWriting(event.target);
    if (!isFind && !isHelp) return;
    event.preventDefault();
    if (isFind) this.open();
    else this.showKeys();
  }

  // Finding

  open() {
    this.all = choices();
    this.input = element('input', {
      type: 'text', role: 'combobox', 'aria-label': 'Find places, sources and actions', 'aria-controls': 'palette-list',
      'aria-expanded': 'true', autocomplete: 'off', spellcheck: 'false', placeholder: 'Find places, sources and actions',
      input: () => this.find(), keydown: (event) => this.move(event),
    });
    this.list = element('ul', { id: 'palette-list', class: 'palette-list', role: 'listbox', 'aria-label': 'Found' });
    this.show('Find', element('form', { method: 'dialog', submit: (event) => this.choose(event) }, this.input, this.list));
    this.find();
  }

  show(title, content) {
    this.dialog = element('dialog', { class: 'question palette', 'aria-label': title }, content);
    const { dialog } = this;
    on(dialog, 'close', () => dialog.remove());
    // A press beside it closes it.
    on(dialog, 'click', (event) => { if (event.target === dialog) dialog.close(); });
    document.body.append(dialog);
    dialog.showModal();
  }

  find() {
    const terms = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.found = this.all.filter(({ words, kind }) => terms.every((term) => `${words} ${kind}`.toLowerCase().includes(term)));
    this.at = 0;
    this.list.replaceChildren(...this.found.map((one, index) => element('li', {
      id: `found-${index}`, role: 'option', click: () => this.act(index),
    }, element('span', {}, one.words), element('span', { class: 'kind' }, one.kind))));
    if (!this.found.length) this.list.replaceChildren(nothing('Nothing is called so', 'Take out some letters.'));
    this.mark();
  }

  mark() {
    [...this.list.children].forEach((item, index) => item.setAttribute('aria-selected', String(index === this.at)));
    const chosen = byId(`found-${this.at}`);
    if (chosen) this.input.setAttribute('aria-activedescendant', chosen.id);
    else this.input.removeAttribute('aria-activedescendant');
    chosen?.scrollIntoView({ block: 'nearest' });
  }

  move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !this.found.length) return;
    event.preventDefault();
    this.at = (this.at + step + this.found.length) % this.found.length;
    this.mark();
  }

  choose(event) {
    event.preventDefault();
    this.act(this.at);
  }

  act(index) {
    const chosen = this.found[index];
    if (!chosen) return;
    this.dialog.close();
    chosen.act();
  }

  // Keys

  showKeys() {
    const rows = Keys.flatMap(([key, words]) => [element('dt', {}, element('kbd', {}, key)), element('dd', {}, words)]);
    this.show('Keys', element('form', { method: 'dialog' }, element('h2', {}, 'Keys'), element('dl', { class: 'keys' }, ...rows),
      element('div', { class: 'actions' }, button('Close', () => this.dialog.close()))));
  }
}
