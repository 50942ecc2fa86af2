// Alert rules: when operators get a message, where it goes, and the present state.

import { TimeTable } from '../parts/details.js';
import { element } from '../parts/elements.js';
import { Messages } from '../parts/messages.js';
import { button, choice, field, note, part, table, textInput } from '../parts/parts.js';
import { confirmed } from '../parts/questions.js';
import { plural } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

/// The kinds, with their fields and usual numbers.
const Kinds = {
  silence: { title: 'An event does not come', fields: ['writeKey', 'event', 'minutes'], minutes: 30 },
  rejected: { title: 'Many events are rejected', fields: ['writeKey', 'percent', 'minutes', 'atLeast'], minutes: 30, percent: 5, atLeast: 20 },
  lag: { title: 'A destination falls behind', fields: ['writeKey', 'destination', 'minutes'], minutes: 5 },
  deadLetters: { title: 'A destination refuses events', fields: ['writeKey', 'destination', 'atLeast'], atLeast: 1 },
  plan: { title: 'Events differ from the plan', fields: ['writeKey', 'event', 'minutes', 'atLeast'], minutes: 30, atLeast: 10 },
  loss: { title: 'A version of the app loses events', fields: ['writeKey', 'percent', 'minutes', 'atLeast'], minutes: 1440, percent: 5, atLeast: 20 },
  disk: { title: 'The disk gets full', fields: ['percent'], percent: 10 },
};

const Targets = [['slack', 'A chat like Slack'], ['webhook', 'A webhook'], ['mail', 'Mail'], ['notices', 'The address of the server']];

/// The condition of a rule in words.
function words(rule) {
  const minutes = plural(rule.minutes || 0, 'minute');
  switch (rule.kind) {
    case 'silence': return `No event ${rule.event} of ${rule.writeKey} for ${minutes}`;
    case 'rejected': return `More than ${rule.percent} % of ${rule.writeKey} rejected in ${minutes}, of at least ${plural(rule.atLeast, 'event')}`;
    case 'lag': return `${rule.writeKey} → ${rule.destination} is ${minutes} behind`;
    case 'deadLetters': return `${rule.writeKey} → ${rule.destination} has at least ${plural(rule.atLeast, 'dead letter')}`;
    case 'plan': return `At least ${plural(rule.atLeast, 'event')} ${rule.event || ''} of ${rule.writeKey} not as planned in ${minutes}`;
    case 'loss': return `A version of the app of ${rule.writeKey} loses more than ${rule.percent} % in ${minutes}, as at least ${plural(rule.atLeast, 'device')} say`;
    default: return `Less than ${rule.percent} % of the disk are free`;
  }
}

/// How a rule is now.
function state(rule) {
  const since = rule.since ? ` since ${TimeTable.short(Date.parse(rule.since))}` : '';
  const found = rule.text ? `: ${rule.text}` : ', not looked at yet';
  const lines = [note(`${rule.state}${since}${found}`, rule.state === 'firing' ? 'failed' : 'delivered')];
  if (rule.waiting) {
    const again = rule.retryAt ? `, again at ${TimeTable.short(Date.parse(rule.retryAt))}` : '';
    lines.push(note(`${plural(rule.waiting, 'message')} not told yet${again}${rule.problem ? `: ${rule.problem}` : ''}`, 'changed'));
  }
  if (rule.lost) lines.push(note(`${plural(rule.lost, 'message')} given up`, 'changed'));
  return element('div', {}, ...lines);
}

export class Alerts {
  constructor(surroundings) {
    Object.assign(this, { surroundings, root: element('div', { id: 'alerts' }) });
  }

  /// Reads the rules and shows them. Returns the rules that fire.
  async read() {
    const { rules, ...has } = await Workspace.json('/api/alerts');
    const may = this.surroundings.may('administer');
    const rows = rules.map((rule) => [
      rule.name, words(rule), state(rule), { notices: 'the address of the server', mail: 'mail' }[rule.to] || rule.url,
      may ? element('div', { class: 'actions' }, this.testButton(rule), this.removeButton(rule)) : '',
    ]);
    this.root.replaceChildren(part('Alert rules', [],
      rows.length ? table(['Rule', 'Watches for', 'Now', 'Tells', ''], rows, { label: 'Alert rules' })
        : note('There is no rule. A rule tells a chat, a webhook or people by mail when something is wrong, once, and again when it is over.'),
      may ? element('details', { class: 'by-day' }, element('summary', {}, 'Add or replace a rule'), this.form(has)) : undefined));
    return rules.filter((rule) => rule.state === 'firing');
  }

  path(name) { return `/api/alerts/${encodeURIComponent(name)}`; }

  testButton(rule) {
    return button('Test', (event) => Messages.during(event.target, async () => {
      const answer = await Workspace.send('POST', `${this.path(rule.name)}/test`);
      Messages.said(`The receiver ${answer.accepted ? 'accepted' : 'did not accept'} the test of ${rule.name}: ${answer.answer}, `
        + `${answer.milliseconds} ms.`, answer.accepted ? 'stored' : 'failed');
    }), { class: 'button small' });
  }

  removeButton(rule) {
    return button('Remove', async (event) => {
      const yes = await confirmed({
        title: `Remove ${rule.name}?`, action: 'Remove', text: 'Its messages that were not told yet are removed with it.',
      });
      if (!yes) return;
      await Messages.during(event.target, async () => {
        await Workspace.remove(this.path(rule.name));
        await this.read();
      });
    }, { class: 'button small' });
  }

  form({ hasNoticeAddress, hasMail }) {
    const number = (id, usual) => textInput(String(usual), { id, type: 'number', min: '1', required: true });
    const name = textInput('', { id: 'alert-name', required: true, maxlength: '100' });
    const kind = choice(Object.entries(Kinds).map(([value, { title }]) => [value, title]), 'silence', { id: 'alert-kind' });
    const inputs = {
      writeKey: choice(this.surroundings.sources.map((one) => [one.writeKey, one.name || one.writeKey]), this.surroundings.sources[0]?.writeKey, { id: 'alert-source' }),
      event: textInput('', { id: 'alert-event' }), destination: textInput('', { id: 'alert-destination' }),
      minutes: number('alert-minutes', 30), percent: number('alert-percent', 5), atLeast: number('alert-least', 1),
    };
    const titles = { writeKey: 'Source', event: 'Event', destination: 'Destination', minutes: 'Minutes', percent: 'Percent', atLeast: 'At least' };
    const fields = Object.fromEntries(Object.entries(inputs).map(([key, input]) => [key, field(titles[key], input)]));
    const to = choice(Targets.filter(([value]) => (value !== 'notices' || hasNoticeAddress) && (value !== 'mail' || hasMail)), 'slack', { id: 'alert-to' });
    const url = textInput('', { id: 'alert-url', placeholder: 'https://' });
    const urlField = field('Address', url, 'It is not shown again.');
    const follow = () => {
      const chosen = Kinds[kind.value];
      for (const [key, one] of Object.entries(fields)) {
        one.hidden = !chosen.fields.includes(key);
        inputs[key].disabled = one.hidden;
        if (chosen[key]) inputs[key].value = String(chosen[key]);
      }
      urlField.hidden = ['notices', 'mail'].includes(to.value);
    };
    kind.addEventListener('change', follow);
    to.addEventListener('change', follow);
    follow();
    const value = (key) => (['minutes', 'percent', 'atLeast'].includes(key) ? Number(inputs[key].value) : inputs[key].value);
    return element('form', {
      class: 'line-form', submit: async (event) => {
        event.preventDefault();
        const rule = { kind: kind.value, to: to.value };
        for (const key of Kinds[kind.value].fields) rule[key] = value(key);
        if (kind.value === 'plan' && !rule.event) delete rule.event;
        if (!urlField.hidden && url.value) rule.url = url.value;
        await Messages.during(event.submitter, async () => {
          await Workspace.send('PUT', this.path(name.value), rule);
          await this.read();
          Messages.said(`The rule ${name.value} is set. The server looks at it each minute.`);
        });
      },
    }, field('Name of a rule', name), field('Tell when', kind), ...Object.values(fields), field('Tell', to), urlField,
    element('button', { class: 'button', type: 'submit' }, 'Set rule'));
  }
}
