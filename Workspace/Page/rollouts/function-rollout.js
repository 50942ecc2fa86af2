// The roll-out of a destination function: how far it is, and what an operator decides by hand.

import { element } from '../parts/elements.js';
import { button, note } from '../parts/parts.js';
import { confirmed } from '../parts/questions.js';
import { count, plural, span } from '../parts/text.js';
import { Rollout, States } from './rollout.js';
import { Workspace } from '../api/workspace.js';

export class FunctionRollout extends Rollout {
  /// `name` and `path` are those of the destination. `act` carries out a change and draws everything again; undefined for a reader.
  constructor(rollout, name, path, act) {
    super(rollout);
    Object.assign(this, { name, path, act });
  }

  /// The lines of a card; nothing for a roll-out that ended as it should.
  draw() {
    const title = `Version ${this.version} ${States[this.state]}`;
    if (this.state === 'rolledBack') return [note(`${title}: ${this.reason}.`, 'failed')];
    if (!this.isOpen) return [];
    const { stages, holdSeconds, minimumEvents, maximumRefusals } = this.plan;
    return [
      note(`${title}, with ${this.percentage} % of users since ${span(this.heldSeconds * 1000)}: ${this.reason}.`,
        this.state === 'paused' ? 'changed' : undefined),
      element('ol', { class: 'stages' }, ...stages.map((share, index) => this.stageMark(share, index))),
      note(`In this stage ${FunctionRollout.tries(this.tried)}; by version ${this.previous}: ${FunctionRollout.tries(this.triedBefore)}. `
        + `A stage lasts ${span(holdSeconds * 1000)} and ${plural(minimumEvents, 'event')} at least. The version is taken back when the `
        + `share of refused events grows by more than ${Number((maximumRefusals * 100).toPrecision(3))} %.`),
      ...(this.act ? [this.steps()] : []),
    ];
  }

  static tries({ accepted, refused }) {
    return `${count(accepted)} accepted and ${count(refused)} refused`;
  }

  steps() {
    const step = (label, name, said) => button(label, (event) => this.act(event.target, async () => {
      await Workspace.send('POST', `${this.path}/rollout/${name}`);
      return said;
    }), { class: 'button small' });
    return element('div', { class: 'actions' },
      this.state === 'running' ? step('Pause the roll-out', 'pause', 'The roll-out is paused.')
        : step('Resume the roll-out', 'resume', 'The roll-out goes on.'),
      step('Next stage now', 'advance', 'The next stage has begun.'),
      button(`Go back to version ${this.previous} …`, (event) => this.goBack(event.target), { class: 'button small' }));
  }

  async goBack(pressed) {
    const yes = await confirmed({
      title: `Go back to version ${this.previous} of ${this.name}?`, action: 'Go back',
      text: `It sends the events of all users again, also those that version ${this.version} could not send.`,
    });
    if (!yes) return;
    await this.act(pressed, async () => {
      await Workspace.send('POST', `${this.path}/rollback`, {});
      return `${this.name} has version ${this.previous} again.`;
    });
  }
}
