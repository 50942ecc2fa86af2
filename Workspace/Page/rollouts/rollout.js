// A roll-out with a plan: its progress, and the form of a new plan.

import { element } from '../parts/elements.js';
import { button, field, note, part, textInput } from '../parts/parts.js';
import { span } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

/// What became of a version, after its number.
export const States = {
  running: 'is rolled out in stages', paused: 'is paused', finished: 'was rolled out', rolledBack: 'was rolled back',
  ended: 'was ended by hand',
};

/// The newest roll-out of live plugins or filters of a source.
export class Rollout {
  constructor(rollout) {
    Object.assign(this, rollout);
    this.path = rollout.kind === 'filters' ? 'filters' : 'live-plugins';
  }

  /// How far it is, as the beginning of a sentence.
  get place() {
    const since = `since ${span(this.heldSeconds * 1000)}`;
    return this.isShadow ? `Compared ${since}` : `At ${this.percentage} % of devices ${since}`;
  }

  get isOpen() {
    return this.state === 'running' || this.state === 'paused';
  }

  /// `act` carries out a change and draws everything again.
  draw(deploys, act, writeKey) {
    const step = (label, name, said) => button(label, (event) => act(event.target, async () => {
      await Workspace.send('POST', Workspace.source(writeKey, `${this.path}/rollout/${name}`));
      return said;
    }));
    const actions = deploys && this.isOpen ? [
      this.state === 'running' ? step('Pause', 'pause', 'The roll-out is paused.')
        : step('Resume', 'resume', 'The roll-out goes on.'),
      step(this.isShadow ? 'First stage now' : 'Next stage now', 'advance', 'The next stage has begun.'),
    ] : [];
    const { stages, holdSeconds, maximumFaultRate, maximumDropChange, maximumTimeChange, minimumDevices, minimumEvents }
      = this.plan;
    const outcome = { rolledBack: 'failed', finished: 'delivered', paused: 'changed' }[this.state];
    const percent = (share) => `${Number((share * 100).toPrecision(3))} %`;
    const state = this.isShadow && this.state === 'running' ? 'runs as a shadow' : States[this.state] || this.state;
    return part(`Version ${this.version} ${state}`, actions,
      element('ol', { class: 'stages' }, ...this.shadowMark(), ...stages.map((share, index) => this.stageMark(share, index))),
      note(`${this.place}: ${this.reason}.`, outcome),
      note(`A stage lasts ${span(holdSeconds * 1000)} at least, and until ${minimumDevices} devices and ${minimumEvents} `
        + `events are reported. ${this.isShadow ? 'From the first stage on, it' : 'The version'} is rolled back when more than `
        + `${percent(maximumFaultRate)} of events have a `
        + `fault, or the share of dropped events${this.kind === 'filters' ? ' of a destination' : ''} changes by more than `
        + `${percent(maximumDropChange)}`
        + (this.kind === 'filters' ? '.' : `, or an event takes ${percent(maximumTimeChange)} longer.`)));
  }

  /// The stage before the first one, when the plan has it.
  shadowMark() {
    return this.plan.shadow ? [this.mark('Shadow', !this.isShadow, this.isShadow)] : [];
  }

  stageMark(share, index) {
    const isPresent = index + 1 === this.stage && !this.isShadow;
    return this.mark(`${share} %`, index + 1 < this.stage || this.state === 'finished', isPresent);
  }

  mark(text, isDone, isPresent) {
    const state = isDone ? 'delivered' : (isPresent && this.isOpen ? 'changed' : 'unknown');
    return element('li', { 'data-outcome': state, 'aria-current': isPresent && this.isOpen && 'step' }, text);
  }
}

/// The fields of a plan, with the server's defaults.
export class PlanForm {
  /// - Parameter hasShadow: whether there is a version beside which a shadow could run.
  constructor(hasShadow = false) {
    const input = (id, value) => textInput(value, { id });
    this.stages = input('plan-stages', '1, 10, 50, 100');
    this.minutes = input('plan-minutes', '30');
    this.faults = input('plan-faults', '0.5');
    this.drops = input('plan-drops', '2');
    this.devices = input('plan-devices', '20');
    this.events = input('plan-events', '1000');
    this.shadow = hasShadow ? input('plan-shadow', '') : undefined;
    this.root = element('div', { id: 'plan', class: 'fields', hidden: true },
      ...(hasShadow ? [field('As a shadow first, in percent of devices', this.shadow)] : []),
      field('Stages, in percent of devices', this.stages), field('Minutes of a stage, at least', this.minutes),
      field('Most events with a fault, in percent', this.faults),
      field('Most change of dropped events, in percent', this.drops),
      field('Devices that must report', this.devices), field('Events that they must report', this.events));
  }

  /// The query of a deployment. The server says what is wrong with a value.
  get query() {
    const share = (input) => String(Number((Number(input.value) / 100).toPrecision(6)));
    const shadow = this.shadow?.value.replaceAll(/[\s%]/g, '');
    return new URLSearchParams({
      ...(shadow ? { shadow } : {}), stages: this.stages.value.replaceAll(/[\s%]/g, ''), holdSeconds: String(Math.round(Number(this.minutes.value) * 60)),
      maximumFaultRate: share(this.faults), maximumDropChange: share(this.drops),
      minimumDevices: this.devices.value, minimumEvents: this.events.value,
    });
  }
}
