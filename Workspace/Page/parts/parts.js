// Parts that several places share: tables, forms, questions and messages.

import { byId, element } from './elements.js';

/// A table. `columns` are titles; each row is a list of texts and elements.
export function table(columns, rows, attributes = {}) {
  const head = element('thead', {}, element('tr', {},
    ...columns.map((name) => element('th', { scope: 'col' }, name))));
  const cells = (row) => row.map((cell, index) => element('td', { 'data-title': columns[index] }, cell));
  const body = rows.map((row) => element('tr', row.attributes || {}, ...cells(row)));
  return element('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': attributes.label },
    element('table', {}, head, element('tbody', {}, ...body)));
}

export function button(label, click, attributes = {}) {
  return element('button', { class: 'button', type: 'button', click, ...attributes }, label);
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

/// Shows the result of an action, or why it failed.
export class Messages {
  static said(text, outcome = 'stored') {
    const line = element('p', { class: 'message', 'data-outcome': outcome }, element('span', {}, text),
      element('button', { class: 'link', type: 'button', click: () => line.remove() }, 'Close'));
    byId('messages').replaceChildren(line);
    // A problem stays until it is closed.
    if (outcome === 'stored') setTimeout(() => line.remove(), 8000);
  }

  static failed(error) {
    Messages.said(error.message, 'failed');
  }

  /// Does some work with a button switched off meanwhile, and shows the error when it fails.
  /// Returns whether it succeeded.
  static async during(pressed, work) {
    if (pressed) pressed.disabled = true;
    try {
      await work();
      return true;
    } catch (error) {
      // The page itself ended the request, or the reader said no.
      if (error.name !== 'AbortError') Messages.failed(error);
      return false;
    } finally {
      if (pressed) {
        pressed.disabled = false;
        // A button that is off loses the focus, which a person with a keyboard needs again.
        if (document.activeElement === document.body) pressed.focus();
      }
    }
  }
}

/// Asks before something that cannot be undone. `losses` are sentences, each on a line of its own. `word` has to be typed
/// when there is one; `more` are further fields.
export function confirmed({ title, text, losses = [], action, word, more = [] }) {
  return new Promise((answer) => {
    const input = word ? textInput('', { 'aria-label': `Type ${word}` }) : undefined;
    const go = element('button', { class: 'button danger', type: 'submit', disabled: Boolean(word) }, action);
    input?.addEventListener('input', () => { go.disabled = input.value !== word; });
    const dialog = element('dialog', { class: 'question', 'aria-label': title },
      element('form', { method: 'dialog' }, element('h2', {}, title), element('p', {}, text),
        losses.length ? element('ul', {}, ...losses.map((loss) => element('li', {}, loss))) : undefined,
        word ? field(`Type ${word} to go on`, input) : undefined, ...more,
        element('div', { class: 'actions' },
          button('Cancel', () => dialog.close('no')), go)));
    dialog.addEventListener('submit', () => { dialog.returnValue = 'yes'; });
    dialog.addEventListener('close', () => {
      dialog.remove();
      answer(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.returnValue = 'no';
    dialog.showModal();
  });
}

/// Asks before a change loses something for good. Without a loss it asks nothing. When the reader says no, it ends the work
/// without a message.
export async function askBeforeLoss({ title, losses, action }) {
  if (!losses.length) return;
  const yes = await confirmed({ title, text: 'This cannot be undone:', losses, action });
  if (!yes) throw new DOMException('the reader said no', 'AbortError');
}

/// Shows a secret that cannot be shown again.
export function showSecret({ title, text, secret, copy }) {
  const dialog = element('dialog', { class: 'question', 'aria-label': title },
    element('form', { method: 'dialog' }, element('h2', {}, title), element('p', {}, text),
      element('pre', { class: 'code secret' }, secret),
      element('div', { class: 'actions' }, copy,
        element('button', { class: 'button', type: 'submit' }, 'I have stored it'))));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
