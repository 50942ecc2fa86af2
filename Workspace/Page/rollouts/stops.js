// The stops on the devices of a source, and how many devices have heard of each.

import { element } from '../parts/elements.js';
import { Messages } from '../parts/messages.js';
import { TimeTable } from '../parts/details.js';
import { button, choice, field, note, part } from '../parts/parts.js';
import { confirmed } from '../parts/questions.js';
import { count, instant, textual } from '../parts/text.js';
import { percent } from './trial.js';
import { Workspace } from '../api/workspace.js';

const Spans = [[600, '10 minutes'], [3600, 'an hour'], [7200, '2 hours'], [86400, 'a day'], [604800, '7 days']];

export class Stops {
  constructor(source, deploys) {
    Object.assign(this, { source, deploys });
    this.root = element('div', { id: 'stops' });
  }

  get path() {
    return Workspace.source(this.source.writeKey, 'stops');
  }

  async start() {
    this.answer = await Workspace.json(this.path);
    this.draw();
  }

  draw() {
    const { stops } = this.answer;
    const actions = this.deploys ? [button('Look again', (event) => this.again(event.target)),
      button('Stop on devices …', (event) => this.stop(event.target), { class: 'button danger' })] : [];
    const rows = stops.filter((stop) => stop.active).map((stop) => this.row(stop));
    const over = stops.filter((stop) => !stop.active).slice(0, 3).map((stop) => note(`${Stops.title(stop)} is over.`));
    const { devices, sampled } = this.answer;
    if (rows.length && sampled < devices) {
      rows.push(note(`By a sample of ${count(sampled)} of the ${count(devices)} devices of the last 24 hours.`));
    }
    this.root.replaceChildren(part('Stopped on devices', actions,
      ...(rows.length ? rows : [note('Nothing is stopped.')]), ...over));
  }

  static title(stop) {
    const version = stop.version === null ? 'the live plugins' : `version ${stop.version} of the live plugins`;
    const target = stop.destination === null ? version : `the destination ${textual(stop.destination)}`;
    return `${stop.drill ? 'Drill' : 'Stop'} ${stop.number} of ${target}`;
  }

  row(stop) {
    const end = this.deploys ? button('End', (event) => this.end(event.target, stop), { class: 'button small' }) : undefined;
    return element('div', { class: 'stop', 'data-number': stop.number },
      element('div', { class: 'part-head' }, element('h3', {}, Stops.title(stop)), end),
      note(`It ends ${TimeTable.long(instant(stop.until))}.${stop.drill ? ' Nothing is stopped by a drill.' : ''}`),
      ...Stops.reach(stop.reach));
  }

  /// How many devices have heard of a stop, and when the others will.
  static reach(reach) {
    const able = reach.confirmed + reach.expected + reach.silent;
    if (!able && !reach.unable) return [note('No device has reported in the last 24 hours.')];
    const figure = (name, value) => element('div', {}, element('dt', {}, name),
      element('dd', {}, `${count(value)} (${percent(value, able)})`));
    const unable = reach.unable ? [note(`${count(reach.unable)} more have a client that does not say what it heard.`)] : [];
    return [element('dl', { class: 'figures' }, figure('Have heard of it', reach.confirmed), figure('Will look', reach.expected),
      figure('Hear it when they start', reach.silent)),
    note(reach.forecasts.map(Stops.forecast).join(' ')), ...unable];
  }

  static forecast({ percent: share, state, at }) {
    if (state === 'reached') return `${share} % of devices have heard of it.`;
    if (state === 'expected') return `${share} % by ${TimeTable.long(instant(at))}.`;
    return `${share} % not before more devices start.`;
  }

  async again(pressed) {
    await Messages.during(pressed, () => this.start());
  }

  async stop(pressed) {
    const keys = Object.keys(this.source.integrations || {}).filter((key) => key !== 'Segment.io');
    const target = choice([['', 'the live plugins'], ...keys.map((key) => [key, `the destination ${key}`])], '',
      { id: 'stop-target' });
    const seconds = choice(Spans.map(([value, name]) => [String(value), name]), '7200', { id: 'stop-seconds' });
    const drill = choice([['drill', 'a drill: nothing stops'], ['stop', 'a stop']], 'drill', { id: 'stop-kind' });
    const yes = await confirmed({
      title: 'Stop something on devices?', action: 'Begin',
      text: 'Devices hear it with their next look at the settings, and report that they did.',
      more: [field('What', target), field('For', seconds), field('As', drill)],
    });
    if (!yes) return;
    const body = { seconds: Number(seconds.value), drill: drill.value === 'drill' };
    const of = target.value ? { kind: 'destination', destination: target.value } : { kind: 'livePlugins' };
    const done = await Messages.during(pressed, async () => {
      await Workspace.send('POST', this.path, { ...of, ...body });
      await this.start();
    });
    if (done) Messages.said(`${drill.value === 'drill' ? 'The drill' : 'The stop'} has begun.`);
  }

  async end(pressed, stop) {
    const done = await Messages.during(pressed, async () => {
      await Workspace.remove(`${this.path}/${stop.number}`);
      await this.start();
    });
    if (done) Messages.said(`${Stops.title(stop)} is over.`);
  }
}
