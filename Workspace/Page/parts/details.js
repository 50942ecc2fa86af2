// Parts of the panel: steps, times, JSON.

import { filterable } from './conditions-bar.js';
import { element, on } from './elements.js';
import { compact, scalar } from '../api/json.js';
import { Limits } from '../api/limits.js';
import { clock, padded, plural, span } from './text.js';

/// The steps in order, each with its effect.
export class StepList {
  static draw(path) {
    const list = element('ol', { class: 'steps' });
    if (Number.isFinite(path.trackedAt)) list.append(StepList.mile('tracked', 'tracked', clock(path.trackedAt)));
    for (const step of [...path.trunk, ...path.lanes.flatMap((lane) => lane.steps), ...path.after]) {
      list.append(StepList.step(step));
    }
    if (Number.isFinite(path.receivedAt)) {
      list.append(StepList.mile('received', 'unchanged', clock(path.receivedAt)));
    }
    if (path.stored) list.append(StepList.mile('stored', 'stored', clock(path.storedAt)));
    return list;
  }

  static mile(name, outcome, time) {
    return element('li', { class: 'step mile', 'data-outcome': outcome },
      element('div', { class: 'step-line' }, element('span', { class: 'stage' }, name),
        element('span', { class: 'plugin' }), element('span', { class: 'when' }, time)));
  }

  static step(step) {
    const place = step.lane && step.lane !== step.plugin ? `${step.stage} · ${step.lane}` : step.stage;
    const line = element('div', { class: 'step-line' },
      element('span', { class: 'stage' }, place),
      element('span', { class: 'plugin' }, step.plugin, step.live ? element('small', {}, 'live') : undefined),
      element('span', { class: 'outcome' }, step.outcome));
    return element('li', { class: 'step', 'data-outcome': step.outcome }, line,
      step.note ? element('p', { class: 'reason' }, step.note) : undefined,
      step.changes.length ? StepList.changes(step.changes) : undefined);
  }

  static changes(changes) {
    const side = (sign, node) => (node === undefined ? undefined
      : element('div', { class: sign === '+' ? 'after' : 'before' },
        element('span', { class: 'sign', 'aria-label': sign === '+' ? 'after' : 'before' }, sign),
        element('code', {}, compact(node))));
    const kind = (change) => {
      if (change.before === undefined) return 'added';
      return change.after === undefined ? 'removed' : 'changed';
    };
    return element('ul', { class: 'changes' }, ...changes.map((change) => element('li', {},
      element('div', { class: 'change-path' }, element('code', {}, change.path), ` ${kind(change)}`),
      side('−', change.before), side('+', change.after))));
  }
}

/// The times of an event and the spans between them.
export class TimeTable {
  static draw(path) {
    const rows = [
      ['Tracked on the device', Number.isFinite(path.trackedAt) ? path.trackedAt : path.madeAt],
      ['Sent', path.sentAt], ['Received', path.receivedAt], ['Stored', path.storedAt],
    ].filter((row) => Number.isFinite(row[1]));
    const table = element('table', { class: 'times' });
    rows.forEach(([name, time], index) => {
      const gap = index ? TimeTable.gap(rows[index - 1][1], time) : '';
      table.append(TimeTable.row(name, time, gap));
    });
    if (Number.isFinite(path.timestamp) && path.timestamp !== path.madeAt) {
      const name = path.timeProblem ? 'Timestamp, of arrival' : 'Timestamp, corrected';
      table.append(TimeTable.row(name, path.timestamp, ''));
    }
    if (path.timeProblem) {
      table.append(element('tr', {}, element('th', { scope: 'row' }, 'Timestamp, not read'),
        element('td', { colspan: 2, class: 'problem' }, path.timeProblem)));
    }
    if (Number.isFinite(path.latency)) {
      table.append(element('tr', { class: 'sum' }, element('th', { scope: 'row' }, 'Latency'), element('td'),
        element('td', {}, span(path.latency))));
    }
    return table;
  }

  /// The span between two times. A negative span comes from two clocks that do not agree.
  static gap(before, after) {
    return after >= before ? `+${span(after - before)}` : 'clocks differ';
  }

  static row(name, time, gap) {
    const iso = new Date(time).toISOString();
    return element('tr', {}, element('th', { scope: 'row' }, name),
      element('td', {}, element('time', { datetime: iso, title: iso }, TimeTable.long(time))),
      element('td', {}, gap));
  }

  static long(time) {
    const date = new Date(time);
    const day = `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`;
    return `${day} ${clock(time)}`;
  }

  /// Without milliseconds, for sentences.
  static short(time) {
    return TimeTable.long(time).replace(/\.\d+$/, '');
  }
}

/// A JSON value as lines that fold. A folded part is drawn when the reader opens it.
export class JSONTree {
  /// `levels` of the tree start open. `isEvent` makes each value one that events can be filtered by.
  constructor(node, levels = Limits.openDepth, isEvent = false) {
    Object.assign(this, { node, levels, isEvent });
  }

  draw() {
    return element('div', { class: 'json' }, this.value([], undefined, this.node, true));
  }

  /// `path` has the keys from the root down to the node; `key` is shown before it.
  value(path, key, node, last) {
    const prefix = key === undefined ? [] : [element('span', { class: 'key' }, JSON.stringify(key)), ': '];
    const comma = last ? '' : ',';
    const children = node.kind === 'object' ? node.entries.map(([name, child]) => [name, name, child])
      : node.items?.map((item, index) => [String(index), undefined, item]);
    if (!children?.length) {
      const words = children ? (node.kind === 'object' ? '{}' : '[]') : scalar(node);
      const kind = children ? 'empty-value' : node.kind;
      const value = this.isEvent && !children && path.length ? filterable(path, kind, words) : element('span', { class: kind }, words);
      return element('div', { class: 'json-line' }, ...prefix, value, comma);
    }
    return this.folding(path, prefix, node, children, comma);
  }

  folding(path, prefix, node, children, comma) {
    const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
    const folded = element('span', { class: 'folded' }, `… ${plural(children.length, 'value')} ${close}${comma}`);
    const body = element('div', { class: 'json-body' });
    const details = element('details', { open: path.length < this.levels },
      element('summary', {}, ...prefix, open, ' ', folded), body,
      element('div', { class: 'json-line' }, close + comma));
    const fill = () => {
      if (!details.open || body.firstChild) return;
      body.append(...children.map(([step, key, child], index) => this.value([...path, step], key, child,
        index === children.length - 1)));
    };
    on(details, 'toggle', fill);
    fill();
    return details;
  }
}
