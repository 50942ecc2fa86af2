// How far a search through stored events is, with a button that ends it.

import { element } from '../parts/elements.js';
import { button, note } from '../parts/parts.js';
import { count, plural } from '../parts/text.js';

export class SearchProgress {
  /// `ids` name the elements: `status` and `stop`.
  constructor(ids, stop) {
    Object.assign(this, { ids, stop });
    this.root = element('div', { id: ids.status, role: 'status' });
  }

  show({ looked, most, day }) {
    this.last = { looked, day };
    const bar = element('progress', { max: String(Math.max(most, 1)), value: String(looked), 'aria-label': 'Progress' });
    const text = most ? `${count(looked)} of at most ${plural(most, 'event')}${day ? `, at ${day}` : ''}` : 'Counting …';
    const words = this.root.querySelector('.progress-text');
    if (words) {
      // The button stays, so that it can be pressed.
      words.textContent = text;
      this.root.querySelector('progress').replaceWith(bar);
      return;
    }
    this.root.replaceChildren(element('div', { class: 'actions' }, bar, element('span', { class: 'progress-text' }, text),
      button('Stop', () => this.stop(), { id: this.ids.stop })));
  }

  /// Says that the reader ended it.
  stopped(rest) {
    const { looked, day } = this.last;
    this.root.replaceChildren(note(`Stopped${day ? ` at ${day}` : ''}: the newest ${plural(looked, 'event')} were looked at.${rest}`,
      'changed'));
  }

  done(text) {
    this.root.replaceChildren(note(text));
  }

  clear() {
    this.root.replaceChildren();
  }
}
