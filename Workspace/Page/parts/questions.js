// Questions in a dialog.

import { element, on } from './elements.js';
import { begin } from './guard.js';
import { button, field, note, textInput } from './parts.js';

/// A question with two answers. The answer that does something may need words to be typed, or a review to end well.
class Question {
  constructor({ title, text, losses = [], action, word, more = [], review, isHarmless = false }) {
    Object.assign(this, { title, text, losses, more, review });
    this.go = element('button', { class: isHarmless ? 'button strong' : 'button danger', type: 'submit' }, action);
    this.typed = element('div', { class: 'typed' });
    this.reviewed = element('div', { class: 'review', role: 'status' });
    this.fields = [];
    this.needed = [];
    this.isBlocked = Boolean(review);
    this.looks = 0;
    this.wants(word ? [word] : []);
  }

  /// True when the reader agrees.
  ask() {
    const request = new AbortController();
    return new Promise((answer) => {
      this.dialog = this.draw();
      on(this.dialog, 'submit', () => { this.dialog.returnValue = 'yes'; });
      on(this.dialog, 'close', () => {
        request.abort();
        this.dialog.remove();
        answer(this.dialog.returnValue === 'yes');
      });
      document.body.append(this.dialog);
      this.dialog.returnValue = 'no';
      this.dialog.showModal();
      if (!this.review) return;
      begin(() => this.look(request.signal));
      // A field of the question was changed, so the review is about something else.
      on(this.dialog, 'change', ({ target }) => {
        if (this.more.some((one) => one.contains(target))) begin(() => this.look(request.signal));
      });
    });
  }

  draw() {
    const { title, text, losses, more, review } = this;
    return element('dialog', { class: review ? 'question wide' : 'question', 'aria-label': title },
      element('form', { method: 'dialog' }, element('h2', {}, title), element('p', {}, text),
        losses.length ? element('ul', {}, ...losses.map((loss) => element('li', {}, loss))) : undefined,
        review ? this.reviewed : undefined, this.typed, ...more,
        element('div', { class: 'actions' }, button('Cancel', () => this.dialog.close('no')), this.go)));
  }

  /// Shows the review. The reader can agree when it ended well.
  async look(signal) {
    this.looks += 1;
    const mine = this.looks;
    this.isBlocked = true;
    this.judge();
    this.reviewed.replaceChildren(note('One moment …'));
    try {
      const { content, words = [], needed = [], isBlocked = false } = await this.review(signal);
      if (mine !== this.looks) return;
      this.isBlocked = isBlocked;
      this.needed = needed;
      for (const input of needed) on(input, 'input', () => this.judge());
      this.reviewed.replaceChildren(...content);
      this.wants(words);
    } catch (error) {
      if (signal.aborted || mine !== this.looks) return;
      this.reviewed.replaceChildren(note(`This could not be looked at before: ${error.message}.`, 'failed'),
        button('Try again', () => this.look(signal), { class: 'button small' }));
    }
  }

  /// Asks for words to be typed.
  wants(words) {
    this.fields = words.map((word) => ({ word, input: textInput('', { 'aria-label': `Type ${word}`, input: () => this.judge() }) }));
    this.typed.replaceChildren(...this.fields.map(({ word, input }) => field(`Type ${word} to go on`, input)));
    this.judge();
  }

  judge() {
    this.go.disabled = this.isBlocked || this.fields.some(({ word, input }) => input.value !== word)
      || this.needed.some((input) => !input.value.trim());
  }
}

/// Asks before something that cannot be undone. `losses` are sentences, each on a line of its own. `word` has to be typed
/// when there is one; `more` are further fields, and a change of one looks again. `review` looks at what would happen while the question is open: it answers
/// `{content, words, needed, isBlocked}`, which are elements, words to be typed, fields among the elements that must not stay empty, and whether it must not be done. `isHarmless` is for a question that only asks for fields.
export function confirmed(question) {
  return new Question(question).ask();
}

/// Asks before a change loses something for good. Without a loss it asks nothing. When the reader says no, it ends the work
/// without a message.
export async function askBeforeLoss({ title, losses, action }) {
  if (!losses.length) return;
  const yes = await confirmed({ title, text: 'This cannot be undone:', losses, action });
  if (!yes) throw new DOMException('the reader said no', 'AbortError');
}

/// A dialog that closes only when its form is sent, and not by the key Escape.
export function firmDialog(title, form) {
  const dialog = element('dialog', {
    class: 'question', 'aria-label': title, closedby: 'none', cancel: (event) => event.preventDefault(),
    keydown: (event) => { if (event.key === 'Escape') event.preventDefault(); },
  }, form);
  on(dialog, 'close', () => {
    // Browsers close a dialog at the second press of Escape, whatever a page says.
    if (dialog.returnValue === 'done') dialog.remove();
    else dialog.showModal();
  });
  dialog.returnValue = '';
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/// Shows a secret that cannot be shown again.
export function showSecret({ title, text, secret, copy }) {
  const form = element('form', { method: 'dialog' }, element('h2', {}, title), element('p', {}, text),
    element('pre', { class: 'code secret' }, secret),
    element('div', { class: 'actions' }, copy,
      element('button', { class: 'button', type: 'submit', value: 'done' }, 'I have stored it')));
  firmDialog(title, form);
}
