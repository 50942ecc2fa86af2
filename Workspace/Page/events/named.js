// The event that the address names: reading it, and what is shown when there is none.

import { element, section } from '../parts/elements.js';
import { button, field, textInput } from '../parts/parts.js';
import { Address } from '../places/places.js';
import { Workspace } from '../api/workspace.js';

/// The JSON text of the stored event with an id; nothing when there is none.
export async function storedEvent(messageId) {
  if (Address.isPoints(messageId)) {
    const [found] = await Workspace.records(`/api/events?limit=1&where=${encodeURIComponent(`messageId="${messageId}"`)}`, 'events');
    return found?.raw;
  }
  try {
    return await Workspace.text(`/api/events/${encodeURIComponent(messageId)}`);
  } catch (error) {
    if (error.status === 404) return undefined;
    throw error;
  }
}

/// Says that there is no event with an id, and offers to look for another one.
export function showMissingEvent(panel, messageId) {
  const id = textInput(messageId, { id: 'event-id', required: true });
  const search = element('form', {
    class: 'line-form', role: 'search', submit: (event) => {
      event.preventDefault();
      Address.visit(Address.ofEvent(id.value, location.search));
    },
  }, field('Id of an event', id, 'The whole messageId, as the client sent it.'),
  element('button', { class: 'button', type: 'submit' }, 'Find'));
  panel.item = undefined;
  panel.open(element('h2', {}, 'There is no event with the id ', element('bdi', {}, messageId)),
    section('What may have happened', element('ul', { class: 'reasons' },
      element('li', {}, 'The event has not arrived yet. A device may still hold it.'),
      element('li', {}, 'A plugin dropped it on the device. Such events are in the list as long as they are new.'),
      element('li', {}, 'It was erased with its user, or it was older than the days that are kept.'),
      element('li', {}, 'The address has a mistake.'))),
    section('Look for another event', search,
      element('div', { class: 'actions' }, element('a', { class: 'button', href: '/people' }, 'Find by a person'),
        button('Show all events', () => panel.close()))));
}
