// The review of a new version of live plugins on stored sessions.

import { element } from '../parts/elements.js';
import { field, note, table, textInput } from '../parts/parts.js';
import { count, plural, textual } from '../parts/text.js';

/// The differences between the version of today and a new one, as `live-plugins/review` answers them.
export class GoldenReview {
  static Limit = 500; // characters of a reason

  constructor(answer) {
    this.answer = answer;
    this.reason = textInput('', { id: 'reason', maxlength: String(GoldenReview.Limit) });
  }

  get isBroken() {
    return this.answer.broken.length > 0;
  }

  draw() {
    const { answer } = this;
    const parts = [element('h3', {}, 'On stored sessions')];
    if (answer.fault !== null) parts.push(note(`Devices would not run it: ${textual(answer.fault)}.`, 'failed'));
    if (!answer.sessions) return [...parts, note('No session of this source is stored, so nothing could be compared.')];
    const differing = answer.names.filter((name) => name.changed + name.dropped + name.made);
    parts.push(note(this.summary(differing)));
    if (!answer.complete) parts.push(note('The time was over before all sessions had been played.', 'changed'));
    if (differing.length) parts.push(GoldenReview.table(differing));
    return [...parts, ...this.rules()];
  }

  summary(differing) {
    const { sessions, records } = this.answer;
    const what = `${plural(sessions, 'session')} with ${plural(records, 'event or signal', 'events and signals')}`;
    return differing.length ? `${what} were played under the version of today and under this one.`
      : `${what} give the same events under both versions.`;
  }

  static table(names) {
    const rows = names.map((name) => [
      GoldenReview.title(name), count(name.changed), count(name.dropped), count(name.made), GoldenReview.fields(name),
    ]);
    return table(['Event', 'Changed', 'Dropped', 'Made', 'Fields'], rows, { label: 'Differences on stored sessions' });
  }

  static title({ type, name }) {
    return name === undefined ? type : `${type} ${textual(name)}`;
  }

  static fields({ fields, moreFields }) {
    if (!fields.length) return '';
    const lines = fields.map(({ path, events, before, after }) => element('li', {}, element('code', {}, textual(path)),
      ` ${plural(events, 'event')}: ${textual(before ?? 'nothing')} → ${textual(after ?? 'nothing')}`));
    if (moreFields) lines.push(element('li', {}, `${plural(moreFields, 'difference')} in other fields`));
    return element('ul', { class: 'golden-fields' }, ...lines);
  }

  /// The broken rules, and a field for the reason.
  rules() {
    if (!this.isBroken) return [];
    return [...this.answer.broken.map(({ text }) => note(`A rule is broken: ${textual(text)}.`, 'failed')),
      field('Why is it deployed nevertheless?', this.reason, 'The log of changes keeps the reason.')];
  }
}
