// The trial of a bundle of live plugins: the findings, and its effect on stored events.

import { drawValueDiff } from '../parts/diff.js';
import { code, element } from '../parts/elements.js';
import { note, table } from '../parts/parts.js';
import { count, plural, textual } from '../parts/text.js';

/// The result of a trial, as `live-plugins/try` answers it.
export class TrialReport {
  constructor(answer) {
    this.answer = answer;
  }

  draw() {
    const { answer } = this;
    const parts = [this.plugins()];
    if (answer.usable && answer.events) parts.push(this.figures(), ...this.faults(), ...this.console(), ...this.examples());
    else if (answer.usable) parts.push(note('No event of this source is stored, so nothing could be tried.'));
    return parts;
  }

  plugins() {
    const { answer } = this;
    if (!answer.usable) return note('Devices would not run this text. See the findings above.', 'failed');
    const names = answer.plugins.map((plugin) => (plugin.destination ? `${plugin.name} (${plugin.type} of ${plugin.destination})`
      : `${plugin.name} (${plugin.type})`));
    if (answer.generator) names.push('processSignal');
    const time = answer.loadMilliseconds === null ? '' : `, loads in ${answer.loadMilliseconds} ms`;
    return note(`${names.join(', ') || 'No plugin is added'}. ${plural(answer.bytes, 'byte')}${time}.`);
  }

  figures() {
    const { answer } = this;
    const rows = [
      ['Events tried', answer.events], ['Changed', answer.changed], ['Dropped', answer.dropped],
      ['With a fault', answer.failed], ['Made by scripts', answer.made],
    ].map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, count(value))));
    const micro = (value) => (value === null ? '–' : TrialReport.time(value));
    rows.push(element('div', {}, element('dt', {}, 'Time an event, median / p99'),
      element('dd', {}, `${micro(answer.medianMicroseconds)} / ${micro(answer.p99Microseconds)}`)));
    const late = answer.complete ? undefined : note('The time was over before all events had been tried.', 'changed');
    return element('div', {}, element('dl', { class: 'figures', id: 'trial-figures' }, ...rows), late);
  }

  static time(microseconds) {
    return microseconds < 1000 ? `${Math.round(microseconds)} µs` : `${(microseconds / 1000).toFixed(1)} ms`;
  }

  faults() {
    if (!this.answer.faults.length) return [];
    return [element('h3', {}, 'Faults'), table(['Times', 'Fault'],
      this.answer.faults.map((fault) => [count(fault.count), fault.text]), { label: 'Faults' })];
  }

  console() {
    if (!this.answer.console.length) return [];
    return [element('h3', {}, 'Console'), code(this.answer.console.join('\n'), 'Console')];
  }

  examples() {
    if (!this.answer.examples.length) return [note('The text changes, drops and makes no event.')];
    return [element('h3', {}, 'What happens to events'), ...this.answer.examples.map(TrialReport.example)];
  }

  static title(event) {
    return textual(event.event || event.name || event.type || 'event');
  }

  static example(example) {
    const outcome = example.after === null ? 'dropped' : (example.faults.length ? 'failed' : 'changed');
    const words = { dropped: 'is dropped', failed: 'has a fault', changed: 'is changed' };
    const made = example.made.length ? `, makes ${example.made.map(TrialReport.title).join(', ')}` : '';
    const isSame = example.after !== null && JSON.stringify(example.after) === JSON.stringify(example.before);
    const text = isSame && outcome === 'changed' ? 'stays' : words[outcome];
    return element('details', { class: 'example', 'data-outcome': outcome },
      element('summary', {}, element('strong', {}, TrialReport.title(example.before)), ` ${text}${made}`,
        element('span', { class: 'when' }, ` ${TrialReport.time(example.microseconds)}`)),
      ...example.faults.map((fault) => note(fault, 'failed')),
      example.after === null || isSame ? code(JSON.stringify(example.before, undefined, 2), 'Event')
        : drawValueDiff(example.before, example.after));
  }
}
