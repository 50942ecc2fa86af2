// The events of one type and name: the address of the page may name them.

import { element } from '../parts/elements.js';
import { EventTypes, Limits } from '../api/limits.js';
import { Messages } from '../parts/messages.js';
import { Address } from '../places/places.js';
import { shortened } from '../parts/text.js';

export class Only {
  /// The type and name in the address; nothing when it asks for all events.
  static ofAddress() {
    const type = Address.get('type');
    if (EventTypes.includes(type)) return new Only(type, Address.get('name'));
    if (type) Messages.said(`There are no events of the type “${type}”, which the address names. All events are shown.`, 'failed');
    return undefined;
  }

  static forget() {
    Address.set({ type: '', name: '' });
  }

  constructor(type, name) {
    Object.assign(this, { type, name });
  }

  get label() {
    return this.name ? `${this.type} “${shortened(this.name, Limits.onlyLength)}”` : this.type;
  }

  /// The button names the events on display. Pressing it shows all events again.
  chip(click) {
    return element('button', { class: 'chip only', type: 'button', 'aria-pressed': 'true', click },
      this.label, element('span', { 'aria-hidden': 'true' }, ' ×'));
  }

  get query() {
    const name = this.name ? `&name=${encodeURIComponent(this.name)}` : '';
    return `&type=${encodeURIComponent(this.type)}${name}`;
  }

  /// Whether a message of the stream belongs to these events.
  takes(kind, record) {
    // A device's report about an event that is in the list already.
    if (kind === 'trace' && record.outcome !== 'dropped') return true;
    if (kind === 'signal' || record.type !== this.type) return false;
    return !this.name || (kind === 'event' ? record.name : record.event) === this.name;
  }
}
