// The trial of a bundle of live plugins: the findings, and its effect on stored events.

import { drawValueDiff } from '../parts/diff.js';
import { code, element } from '../parts/elements.js';
import { note, table } from '../parts/parts.js';
import { count, plural, textual } from '../parts/text.js';

/// A share in whole percent. A small one is not shown as none.
export function percent(part, whole) {
  const value = whole ? part * 100 / whole : 0;
  return part && value < 1 ? 'below 1 %' : `${Math.round(value)} %`;
}

/// A trial under the permissions of versions of the app, compared with the trial without permissions.
class Restriction {
  static Shown = 5;

  constructor(app, devices) {
    this.app = app;
    const versions = app.versions.map((version) => (version === null ? 'without a version' : textual(version)));
    this.place = `In app ${versions.join(', ')} (${percent(app.devices, devices)} of devices)`;
  }

  /// The differences; none when everything comes out the same.
  lines() {
    const { app, place } = this;
    if (app.untried !== null) return [`${place} it was not tried: ${app.untried}.`];
    if (app.fault !== null) return [`${place} it would not run: ${textual(app.fault)}.`];
    const lines = app.refusedAtStart.slice(0, Restriction.Shown)
      .map((action) => `${place} scripts may not ${textual(action)} at their start.`);
    lines.push(...app.refused.slice(0, Restriction.Shown).map((refusal) => this.refusal(refusal)));
    const more = app.refused.length - Restriction.Shown;
    if (more > 0) lines.push(`${place} there are ${count(more)} more such actions.`);
    const events = plural(app.events, 'event');
    if (app.unseen) {
      lines.push(`${place} scripts do not see all that they read: ${count(app.unseen)} of ${events} would come out differently.`);
    }
    if (app.lacksSignals) lines.push(`${place} scripts get no signals, so processSignal would make no events.`);
    if (!app.complete) lines.push(`${place} only ${events} could be tried in the time.`);
    return lines;
  }

  refusal({ action, events, unchanged }) {
    const outcome = unchanged === events ? 'stay as they are' : 'go on without that';
    return `${this.place} scripts may not ${textual(action)}: ${count(events)} of ${plural(this.app.events, 'event')} would ${outcome}.`;
  }
}

/// The result of a trial, as `live-plugins/try` answers it.
export class TrialReport {
  constructor(answer) {
    this.answer = answer;
  }

  draw() {
    const { answer } = this;
    const parts = [this.plugins()];
    if (answer.usable && answer.events) parts.push(this.figures(), ...this.apps(), ...this.faults(), ...this.console(), ...this.examples());
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

  /// The differences in versions of the app that restrict scripts.
  apps() {
    const lines = this.answer.apps.flatMap((app) => new Restriction(app, this.answer.devices).lines());
    if (!lines.length) return [];
    return [element('h3', {}, 'Where the app restricts scripts'), ...lines.map((line) => note(line, 'changed'))];
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
