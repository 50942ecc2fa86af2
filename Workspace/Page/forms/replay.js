// Stored events that go to a destination once more: the question before, and how far that is.

import { TimeTable } from '../parts/details.js';
import { element } from '../parts/elements.js';
import { button, field, note, textInput } from '../parts/parts.js';
import { confirmed } from '../parts/questions.js';
import { count, instant, plural } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

/// Asks which events go once more, and counts them before.
export class ReplayQuestion {
  /// `path` is that of the destination in the interface.
  constructor(name, path) {
    Object.assign(this, { name, path });
    this.since = textInput('', { type: 'date' });
    this.until = textInput('', { type: 'date' });
    this.event = textInput('', { placeholder: 'all names' });
    this.where = textInput('', { placeholder: 'properties.total>10' });
    this.rate = textInput('', { inputmode: 'numeric', pattern: '[0-9]*', maxlength: '6', placeholder: 'as many as it takes' });
  }

  get fields() {
    return [
      field('Received since', this.since), field('Received before', this.until), field('Event', this.event),
      field('Condition', this.where), field('Events a second', this.rate),
    ];
  }

  query(more = {}) {
    const values = {
      since: this.since.value, until: this.until.value, name: this.event.value.trim(), where: this.where.value.trim(),
      rate: this.rate.value, ...more,
    };
    return new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString();
  }

  /// Returns whether the reader wants it.
  ask() {
    return confirmed({
      title: `Send stored events to ${this.name} once more?`, action: 'Send', more: [element('div', { class: 'fields' }, ...this.fields)],
      text: 'They go oldest first, by the filters and the consent of now, and each keeps its id. A receiver recognises by it what it '
        + 'has already. Events that were not tried yet come in any case.',
      review: (signal) => this.review(signal),
    });
  }

  /// Begins what the reader chose.
  begin() {
    return Workspace.send('POST', `${this.path}/replay?${this.query()}`);
  }

  async review(signal) {
    const trial = await Workspace.answer(`${this.path}/replay?${this.query({ dryRun: 'true' })}`, '{}', 'POST', 'application/json', signal);
    const head = `${trial.complete ? '' : 'At least '}${count(trial.sent)} of ${plural(trial.events, 'event')} would be sent.`;
    const reasons = trial.leftOut.map(({ reason, events }) => element('li', {}, `${count(events)} ${reason}`));
    return { content: [note(head), reasons.length ? element('ul', {}, ...reasons) : ''], isBlocked: !trial.sent };
  }
}

export function isUnderWay(replay) {
  return replay?.state === 'running' || replay?.state === 'paused';
}

/// The last replay of a destination. `set` lets it wait, go on or end; without it, the reader may not.
export function replayLine(replay, set) {
  if (!replay) return undefined;
  const { state, handedOver, leftOut, position, through } = replay;
  const figures = `${count(handedOver)} handed over, ${count(leftOut)} left out`;
  const words = {
    running: `Events are sent once more: ${figures}.`, paused: `Events that are sent once more wait: ${figures}.`,
    finished: `Events were sent once more: ${figures}`, ended: `Sending events once more was ended: ${figures}`,
  }[state];
  const text = isUnderWay(replay) ? words : `${words}, ${TimeTable.short(instant(replay.endedAt))}.`;
  const steps = isUnderWay(replay) && set ? [
    button(state === 'paused' ? 'Go on' : 'Wait', (event) => set(event.target, state === 'paused' ? 'resume' : 'pause'), { class: 'button small' }),
    button('End', (event) => set(event.target, 'end'), { class: 'button small' }),
  ] : [];
  const bar = isUnderWay(replay) && through
    ? element('progress', { max: String(through), value: String(position), 'aria-label': 'Share of the stored events that was looked at' })
    : '';
  return element('div', { class: 'replay' }, note(text), bar, ...steps);
}
