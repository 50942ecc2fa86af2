// What questions about people have in common: the choice of an event with a condition, and a search for the answer.

import { Breakdown } from '../api/breakdown.js';
import { element } from '../parts/elements.js';
import { Limits } from '../api/limits.js';
import { choice, field, nothing, part, textInput } from '../parts/parts.js';
import { plural, shortened } from '../parts/text.js';
import { SearchProgress } from './search-progress.js';
import { Workspace } from '../api/workspace.js';

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

/// The events of a member of an address, which is a list or one event; empty when they cannot be read.
export function eventsOf(address, name) {
  try {
    const events = [JSON.parse(address.get(name))].flat();
    return events.every((event) => event && typeof event === 'object') ? events : [];
  } catch {
    return [];
  }
}

/// An event of the address as the server reads it, with more conditions.
export function eventQuery(event, conditions) {
  return JSON.stringify({ ...event, where: [...(event.where || []), ...conditions.map(({ text }) => text)] });
}

/// A question of Explore about people. The question stands in the address. A kind of question has `form`, `draw`,
/// `invitation`, and `search`, which has the path and the query for the server; nothing while the address has no question.
export class PeopleCounts {
  /// `name` names the elements.
  constructor(source, period, name) {
    Object.assign(this, { source, period, address: new URLSearchParams(location.search) });
    this.progress = new SearchProgress({ status: `${name}-status`, stop: `stop-${name}` }, () => this.close());
    this.result = element('div', { id: name });
  }

  async start(root, choices) {
    const query = new URLSearchParams({ writeKey: this.source.writeKey, properties: false, limit: Limits.suggestions });
    this.names = (await Workspace.json(`/api/catalog?${query}`)).names;
    root.replaceChildren(part('Explore', choices, this.form(), this.progress.root, this.result));
    const search = this.search();
    if (search) await this.count(search);
    else this.result.replaceChildren(this.invitation());
  }

  close() {
    this.running?.stop();
  }

  async count({ path, query }) {
    this.running = new Breakdown(query, (message) => this.came(message), { path });
    this.progress.show({ looked: 0, most: 0 });
    try {
      await this.running.run();
      if (this.running.leaving.signal.aborted) this.progress.stopped(' There are no numbers before the end.');
    } catch (error) {
      this.progress.clear();
      this.result.replaceChildren(nothing(this.constructor.noAnswer, error.message));
    }
  }

  came({ progress, result }) {
    if (progress) this.progress.show(progress);
    if (!result) return;
    this.progress.done(`${plural(result.looked, 'event')} were looked at. Days are counted in ${result.zone}, by the time when events happened.`);
    this.draw(result);
  }
}
