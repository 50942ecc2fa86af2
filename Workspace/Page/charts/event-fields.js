// The choice of an event in a question about people: a type and a name, with a condition.

import { Limits } from '../api/limits.js';
import { choice, field, textInput } from '../parts/parts.js';
import { shortened } from '../parts/text.js';

function key(event) {
  return JSON.stringify([event.type, event.name]);
}

function shown(event) {
  return shortened(event.name === null ? event.type : `${event.name} · ${event.type}`, Limits.catalogNameLength);
}

/// Fields for an event and its condition. `names` are those of the catalog, `nothing` is the label of no choice.
export function eventFields(names, { type, name, where }, label, nothing = 'choose an event', required = true) {
  const values = names.map((one) => [key(one), shown(one)]);
  const asked = { type, name: name ?? null };
  // A name that did not come in the last days is in no list.
  if (type && !values.some(([value]) => value === key(asked))) values.push([key(asked), shown(asked)]);
  const event = choice([['', nothing], ...values], type ? key(asked) : '', { class: 'step-event', required });
  const condition = textInput(Array.isArray(where) ? where[0] : '', { class: 'step-condition', placeholder: 'properties.total>10' });
  return [field(label, event), field('With the condition', condition)];
}

/// The event that was chosen in the fields of a row, as the address has it; nil when none was.
export function chosenEvent(row) {
  const { value } = row.querySelector('.step-event');
  if (!value) return undefined;
  const [type, name] = JSON.parse(value);
  const condition = row.querySelector('.step-condition').value.trim();
  return { type, ...(name === null ? {} : { name }), ...(condition ? { where: [condition] } : {}) };
}

/// An event of the address as the server reads it, with more conditions.
export function eventQuery(event, conditions) {
  return JSON.stringify({ ...event, where: [...(event.where || []), ...conditions] });
}
