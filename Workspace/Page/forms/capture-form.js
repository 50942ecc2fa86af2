// The form for the reports of a source's devices besides events: captured signals, and health reports.

import { element } from '../parts/elements.js';
import { choice, field, table, textInput } from '../parts/parts.js';

const Captures = [
  ['network', 'Network requests'], ['swiftUI', 'Controls of SwiftUI'], ['uiKit', 'Controls of UIKit'],
];

/// A share from 0 to 1, shown in percent.
class Share {
  constructor(id, value, attributes) {
    const percent = value === undefined ? '' : String(Number((value * 100).toPrecision(6)));
    this.input = textInput(percent, { id, inputmode: 'decimal', pattern: '(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]+)?)',
      placeholder: '100', title: 'A number from 0 to 100', ...attributes });
  }

  get value() {
    return this.input.value ? Number((Number(this.input.value) / 100).toPrecision(6)) : undefined;
  }
}

export class CaptureForm {
  /// `policy` is the policy of the source.
  constructor(policy, isReadOnly) {
    const disabled = isReadOnly;
    const { signals, healthReports } = policy;
    this.before = signals;
    this.traffic = choice([['on', 'Sent to the workspace'], ['off', 'Not sent']], signals.disableTraffic ? 'off' : 'on',
      { id: 'signal-traffic', disabled });
    this.launches = new Share('signal-share', signals.sampleRate, { disabled });
    this.health = new Share('health-share', healthReports.sampleRate, { disabled });
    this.captures = Captures.map(([name, label]) => {
      const known = signals.sources?.[name];
      const state = known ? (known.enabled ? 'on' : 'off') : 'app';
      return {
        name, label,
        state: choice([['app', 'As the app decides'], ['on', 'On'], ['off', 'Off']], state,
          { 'aria-label': label, id: `capture-${name}`, disabled }),
        share: new Share(`share-${name}`, known?.sampleRate, { 'aria-label': `Share of launches, ${label}`, disabled }),
      };
    });
  }

  /// The form; `actions` follow the fields.
  draw(submit, ...actions) {
    const rows = this.captures.map(({ label, state, share }) => [label, state, share.input]);
    return element('form', { submit },
      element('div', { class: 'fields' },
        field('Signals', this.traffic),
        field('Launches with signals, in percent', this.launches.input),
        field('Clients with health reports, in percent', this.health.input, 'Counts of faults, without content.')),
      element('h3', {}, 'Automatic captures'),
      table(['Capture', 'Is', 'Launches, in percent'], rows, { label: 'Automatic captures' }),
      element('div', { class: 'actions' }, ...actions));
  }

  /// The members of the policy that the form holds.
  get value() {
    const sources = { ...this.before.sources };
    for (const { name, state, share } of this.captures) {
      delete sources[name];
      if (state.value === 'app') continue;
      sources[name] = { enabled: state.value === 'on' };
      if (share.value !== undefined) sources[name].sampleRate = share.value;
    }
    return {
      signals: { ...this.before, disableTraffic: this.traffic.value === 'off', sampleRate: this.launches.value ?? 1, sources },
      healthReports: { sampleRate: this.health.value ?? 1 },
    };
  }
}
