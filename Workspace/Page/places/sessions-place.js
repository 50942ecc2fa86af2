// Signals: recorded sessions, and a generator that is written beside one.

import { JSONTree, TimeTable } from '../parts/details.js';
import { Check, Editor, partsOf } from '../forms/editor.js';
import { code, element, on } from '../parts/elements.js';
import { Draft, DraftKeeper } from '../rollouts/drafts.js';
import { Messages } from '../parts/messages.js';
import { button, nothing, note, part, saveFile, table } from '../parts/parts.js';
import { Address } from './places.js';
import { Session } from '../people/sessions.js';
import { clock, count, plural, span, textual } from '../parts/text.js';
import { TrialReport } from '../rollouts/trial.js';
import { Workspace } from '../api/workspace.js';

/// The text of a new generator.
const Template = [
  'function processSignal(signal) {',
  '  if (signal.type != SignalType.Interaction) return;',
  '  analytics.track("Tapped", { title: signal.data.title });',
  '}',
  '',
].join('\n');

export class SignalsPlace {
  constructor(root, surroundings) {
    Object.assign(this, { root, source: surroundings.source, tries: surroundings.may('deploy') });
    this.summary = element('div', { id: 'signal-trial', class: 'trial', role: 'status' });
  }

  async start() {
    const { sessions, hasOlder } = await Session.read(this.source.writeKey);
    const session = sessions.find((one) => one.id === Address.get('session'));
    if (session) await this.showSession(session);
    else this.showSessions(sessions, hasOlder);
    if (!session && Address.get('session')) {
      Messages.said('The session of the address is not among the newest signals. These are there.', 'failed');
      Address.set({ session: '' });
    }
  }

  /// Call it when the place is left.
  close() {
    this.drafts?.close();
  }

  // The list

  showSessions(sessions, hasOlder) {
    if (!sessions.length) {
      this.root.replaceChildren(nothing('No signal is stored', 'Debug builds of an app that uses Signals send them by '
        + 'themselves. Other builds send them with a WebhookBroadcaster, or when the app’s configuration says so.'));
      return;
    }
    const rows = sessions.map((session) => [
      element('a', { href: `${Address.of('/sessions', this.source.writeKey)}&session=${session.id}` },
        TimeTable.long(session.start)),
      element('a', { href: `/people?${new URLSearchParams({ source: this.source.writeKey, anonymous: session.device })}` },
        session.device || 'no id'),
      span(session.duration), count(session.signals.length),
      session.types.slice(0, 4).map(([type, number]) => `${count(number)} ${type}`).join(', '),
    ]);
    const older = hasOlder ? [note('Older signals are stored, too. They are not shown here.')] : [];
    this.root.replaceChildren(part('Recorded sessions', [], table(
      ['Begin', 'Device', 'Length', 'Signals', 'Types'], rows, { label: 'Sessions' }), ...older));
  }

  // One session

  async showSession(session) {
    this.session = session;
    this.lines = session.signals.map((signal, place) => SignalsPlace.line(signal, this.tries ? () => this.begin(place) : undefined));
    const list = element('ol', { class: 'entries', id: 'signals' }, ...this.lines.map(({ line }) => line));
    const title = `${plural(session.signals.length, 'signal')} in ${span(session.duration)}`;
    const back = element('a', { class: 'button', href: Address.of('/sessions') }, 'All sessions');
    const from = note(`Since ${TimeTable.long(session.start)}, from the device ${session.device || 'without an id'}.`);
    const texts = SignalsPlace.unreadable(session.unreadable);
    if (!this.tries) {
      this.root.replaceChildren(part(title, [back], from, ...texts, list));
      return;
    }
    const drafts = this.drafts = new DraftKeeper('a generator', this.source.writeKey, () => this.trySoon());
    this.editor = new Editor({
      id: 'generator-text', label: 'Text of the generator', value: await this.text(),
      changed: () => {
        drafts.changed();
        this.trySoon();
      },
    });
    drafts.attach(this.editor);
    this.example = element('div');
    this.root.replaceChildren(part(title, [back], from, ...texts, element('div', { class: 'two' },
      element('section', {}, element('h3', {}, 'Session'), list),
      element('section', { class: 'beside' }, element('div', { class: 'part-head' }, element('h3', {}, 'Generator'),
        element('div', { class: 'actions' }, button('Save as a test', () => this.save(), { id: 'save-test' }),
          button('Go on in Live plugins', () => this.leave(), { id: 'to-live-plugins' }))),
      this.example, drafts.root, this.editor.root, this.summary))));
    await this.editor.open();
    await this.try();
  }

  /// Says that signals do not have the texts that a generator gets on the device; nothing when they have.
  static unreadable(number) {
    if (!number) return [];
    return [note(`${plural(number, 'signal')} of it ${number === 1 ? 'is' : 'are'} unreadable: the app’s broadcaster made all letters `
      + 'X and all digits 9. On the device a generator gets the real texts and can make other events. Debug builds send '
      + 'readable signals with SignalsConfiguration(obfuscateDebugSignals: false), or WebhookBroadcaster(url:obfuscate: false).',
    'changed')];
  }

  /// One signal; `begin` begins an event by example.
  static line(signal, begin) {
    const outcome = element('span', { class: 'outcomes' });
    const details = element('details', { class: 'happening' }, element('summary', { class: 'entry-line' },
      element('time', { datetime: new Date(signal.time || 0).toISOString() }, clock(signal.time)),
      element('span', { class: 'label', 'data-type': 'signal' }, signal.type),
      element('strong', {}, signal.item.name.split(' · ').slice(1).join(' · ')), outcome));
    on(details, 'toggle', () => {
      if (details.open && details.children.length === 1) details.append(new JSONTree(signal.node).draw());
    });
    const make = begin && button('Make an event', begin, { class: 'button small',
      'aria-label': `Make an event of ${signal.type} at ${clock(signal.time)}` });
    return { line: element('li', { class: make ? 'entry with-action' : 'entry' }, details, make), outcome };
  }

  // An event by example

  async begin(place) {
    // Few sessions need this part of the page.
    const [{ EventExample }, { ExampleForm }] = await Promise.all([import('../forms/event-example.js'), import('../forms/example-form.js')]);
    const example = new EventExample(this.session.signals.map((signal) => JSON.parse(signal.raw)), place);
    const close = () => this.example.replaceChildren();
    const form = new ExampleForm(example, {
      cancel: close,
      add: () => {
        close();
        this.add(example);
      },
    });
    this.example.replaceChildren(form.root);
    form.root.scrollIntoView({ block: 'nearest' });
    form.name.focus();
  }

  add(example) {
    const text = this.editor.value;
    // The template is an example, too, and makes an event of each tap.
    const { text: changed, isCalled } = example.addedTo(text.endsWith(Template) ? text.slice(0, -Template.length) : text);
    this.editor.value = changed;
    this.drafts.changed();
    this.trySoon();
    Messages.said(isCalled ? `The generator makes the event ${example.name}.`
      : 'Call eventsByExample(signal) in your processSignal: the page did not find where it begins.', isCalled ? undefined : 'changed');
  }

  /// The session with the events that the generator makes of it, as a file of golden sessions.
  save() {
    if (!this.answer?.usable || !this.answer.complete) {
      Messages.said('A test needs a trial that has played all signals.', 'failed');
      return;
    }
    const made = new Map(this.answer.results.map((result) => [result.position, result.events]));
    const lines = this.session.signals.map((signal, position) => {
      const events = made.get(position) ?? [];
      return `{"session":"${this.session.id}","signal":${signal.raw}${events.length ? `,"made":${JSON.stringify(events)}` : ''}}`;
    });
    saveFile(`session-${this.session.id}.ndjson`, `{"tributaryGolden":1,"plan":[]}\n${lines.join('\n')}\n`, 'application/x-ndjson');
    Messages.said('The file has the signals as people made them. tributary plugin test plays it with --against.');
  }

  /// The deployed bundle, with a generator at its end when it has none.
  async text() {
    const draft = Draft.take(this.source.writeKey);
    if (draft) return draft;
    const { versions } = await Workspace.json(Workspace.source(this.source.writeKey, 'live-plugins'));
    const newest = versions[0]?.bytes ? versions[0] : undefined;
    if (!newest) return Template;
    const path = `/projects/${encodeURIComponent(this.source.writeKey)}/live-plugins/${newest.version}.js`;
    const text = await Workspace.text(path, { headers: { Accept: 'text/javascript' } });
    return /\bprocessSignal\b/.test(partsOf(text).code) ? text : `${text.trimEnd()}\n\n${Template}`;
  }

  leave() {
    Draft.keep(this.source.writeKey, this.editor.value);
    Address.visit(Address.of('/live-plugins', this.source.writeKey));
  }

  /// Tries the text when nothing was typed for a moment.
  trySoon() {
    this.trying ||= new Check((signal) => this.try(signal));
    this.trying.soon();
  }

  async try(signal) {
    const text = this.editor.value;
    const signals = this.session.signals.map((signal) => signal.raw).join(',');
    await Messages.during(undefined, async () => {
      const answer = await Workspace.answer(Workspace.source(this.source.writeKey, 'signals/try'),
        `{"source":${JSON.stringify(text)},"signals":[${signals}]}`, 'POST', 'application/json', signal);
      // A later text gets its own trial.
      if (text === this.editor.value) this.show(answer);
    });
  }

  show(answer) {
    this.answer = answer;
    this.editor.show(answer.findings);
    for (const { outcome } of this.lines) outcome.replaceChildren();
    for (const result of answer.results) {
      this.lines[result.position].outcome.replaceChildren(...SignalsPlace.outcomes(result));
    }
    const parts = [SignalsPlace.verdict(answer)];
    if (answer.faults.length) {
      parts.push(element('h3', {}, 'Faults'), table(['Times', 'Fault'],
        answer.faults.map((fault) => [count(fault.count), fault.text]), { label: 'Faults' }));
    }
    if (answer.console.length) {
      parts.push(element('h3', {}, 'Console'), code(answer.console.join('\n'), 'Console'));
    }
    const events = answer.results.flatMap((result) => result.events);
    if (events.length) parts.push(element('h3', {}, 'Events'), ...events.slice(0, 50).map(SignalsPlace.event));
    this.summary.replaceChildren(...parts);
  }

  static outcomes(result) {
    const made = result.events.map((event) => element('span', { class: 'verdict', 'data-outcome': 'delivered' },
      `→ ${TrialReport.title(event)}`));
    return result.fault ? [...made, element('span', { class: 'verdict', 'data-outcome': 'failed' }, 'fault')] : made;
  }

  static verdict(answer) {
    if (!answer.usable) return note('Devices would not run this text. See the findings above.', 'failed');
    if (!answer.generator) return note('The text has no function processSignal, so signals make no event.', 'failed');
    const late = answer.complete ? '' : ' The trial ended before all signals had been played.';
    const texts = answer.unreadable ? ' The device can make others: some of these signals are unreadable, see above.' : '';
    return note(`${plural(answer.signals, 'signal')} would make ${plural(answer.events, 'event')}.${texts}${late}`,
      late || texts ? 'changed' : 'delivered');
  }

  static event(event) {
    return element('details', { class: 'example', 'data-outcome': 'delivered' },
      element('summary', {}, element('strong', {}, TrialReport.title(event)), ` ${textual(event.type)}`),
      code(JSON.stringify(event, undefined, 2), 'Event'));
  }
}
