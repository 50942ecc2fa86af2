// Live plugins: the versions, an editor, trials on stored events, deployment by shares of devices.

import { TimeTable } from '../parts/details.js';
import { drawDiff } from '../parts/diff.js';
import { Draft, DraftKeeper } from '../rollouts/drafts.js';
import { Check, Editor } from '../forms/editor.js';
import { element } from '../parts/elements.js';
import { Ledger } from '../rollouts/ledger.js';
import { Limits } from '../api/limits.js';
import { Messages } from '../parts/messages.js';
import { button, choice, field, nothing, note, part, saveFile, table, textInput } from '../parts/parts.js';
import { confirmed } from '../parts/questions.js';
import { Only } from '../events/only.js';
import { GoldenReview } from '../rollouts/golden-review.js';
import { PluginHealth } from '../rollouts/plugin-health.js';
import { PlanForm, Rollout } from '../rollouts/rollout.js';
import { Shadow } from '../rollouts/shadow.js';
import { count, plural } from '../parts/text.js';
import { Stops } from '../rollouts/stops.js';
import { TrialReport } from '../rollouts/trial.js';
import { Workspace } from '../api/workspace.js';

/// The text of a new bundle.
const Template = [
  'class Enricher extends LivePlugin {',
  '  constructor() { super(LivePluginType.enrichment, null); }',
  '',
  '  // Return the event, changed or not, or null to drop it.',
  '  track(event) {',
  '    event.properties.example = true;',
  '    return event;',
  '  }',
  '}',
  '',
  'analytics.add(new Enricher());',
  '',
].join('\n');

/// Where a version runs. Only devices decide about stages.
const Where = [['device', 'on devices'], ['workspace', 'in the workspace'], ['both', 'on devices, else in the workspace']];
const wordsOf = (where) => Where.find(([name]) => name === where)?.[1] || where;
/// Who gets a share of a version.
const takersOf = (where) => (where === 'workspace' ? 'users' : 'devices');

export class PluginsPlace {
  constructor(root, surroundings) {
    Object.assign(this, { root, source: surroundings.source, deploys: surroundings.may('deploy') });
    this.compared = element('div', { id: 'compared' });
    this.result = element('div', { id: 'trial', class: 'trial', role: 'status' });
    this.stops = new Stops(this.source, this.deploys);
    this.ledger = new Ledger(this.source);
    this.drafts = new DraftKeeper('live plugins', this.source.writeKey, () => this.textChanged());
  }

  /// Call it when the place is left.
  close() {
    this.checking?.stop();
    this.drafts.close();
  }

  path(more = '') {
    return `${Workspace.source(this.source.writeKey, 'live-plugins')}${more}`;
  }

  async start() {
    const { writeKey } = this.source;
    [this.answer, this.health] = await Promise.all([
      Workspace.json(this.path()), Workspace.json(`/api/live-plugins/health?writeKey=${encodeURIComponent(writeKey)}`),
      this.stops.start(), this.ledger.start(),
    ]);
    const newest = this.answer.versions.find((version) => version.bytes > 0);
    this.deployed = newest ? await this.text(newest.version) : '';
    const draft = Draft.take(writeKey);
    this.editor = new Editor({
      id: 'plugin-text', label: 'Text of the live plugins', value: draft || this.deployed || Template,
      isStored: !draft || draft === this.deployed, readOnly: !this.deploys, changed: () => this.textChanged(),
    });
    this.drafts.attach(this.editor);
    this.root.replaceChildren(...[this.rollout(), this.versions(), this.devices(), this.ledger.root, this.stops.root, this.writing()].filter(Boolean));
    await this.editor.open();
    if (this.deploys) await this.check();
  }

  async text(version) {
    const path = `/projects/${encodeURIComponent(this.source.writeKey)}/live-plugins/${version}.js`;
    return Workspace.text(path, { headers: { Accept: 'text/javascript' } });
  }

  async change(pressed, work) {
    let said;
    const done = await Messages.during(pressed, async () => { said = await work(); });
    if (!done) return;
    // The place is drawn again, and a text that is not deployed stays.
    if (this.editor.isChanged) Draft.keep(this.source.writeKey, this.editor.value);
    await this.start();
    Messages.said(said);
  }

  /// The devices' reports; nothing before a version is deployed.
  devices() {
    return this.answer.versions.length ? new PluginHealth(this.health).draw() : undefined;
  }

  // A version for a share of the devices

  rollout() {
    const planned = this.health.rollout && new Rollout(this.health.rollout);
    const isNewest = planned?.version === this.answer.versions[0]?.version;
    if (planned && (planned.isOpen || isNewest || planned.state === 'rolledBack')) {
      const shown = planned.draw(this.deploys, (pressed, work) => this.change(pressed, work), this.source.writeKey);
      if (planned.isOpen && this.deploys && this.answer.forAll) {
        shown.querySelector('.actions').append(this.rollBackButton());
      }
      if (planned.isOpen && planned.isShadow) {
        shown.append(...new Shadow(this.health, planned)
          .draw(this.deploys, (pressed, work) => this.change(pressed, work), this.source.writeKey));
      }
      return shown;
    }
    return this.trialShare();
  }

  rollBackButton() {
    return button('Roll back', (event) => this.rollBack(event.target, this.answer.forAll), { class: 'button danger' });
  }

  trialShare() {
    const [current] = this.answer.versions;
    if (!current || current.percentage === 100) return undefined;
    const others = this.answer.forAll ? `version ${this.answer.forAll}` : 'no live plugins';
    const takers = takersOf(current.where);
    const wider = [25, 50, 100].filter((share) => share > current.percentage);
    const actions = this.deploys ? [
      ...wider.map((share) => button(`Give it to ${share} %`, (event) => this.change(event.target, async () => {
        await Workspace.send('POST', this.path('/widen'), { percentage: share });
        return `Version ${current.version} goes to ${share} % of ${takers}.`;
      }))),
      this.answer.forAll ? this.rollBackButton() : undefined,
    ] : [];
    return part(`Version ${current.version} is on trial`, actions,
      element('div', { class: 'share', role: 'img', 'aria-label': `${current.percentage} % of ${takers}` },
        element('span', { class: `share-part share-${Math.round(current.percentage / 5) * 5}` })),
      note(current.where === 'workspace' ? `The workspace takes the events of ${current.percentage} % of users through it, and those of the others through ${others}.`
        : `${current.percentage} % of devices run it. The others run ${others}.`));
  }

  /// When a version begins to work.
  static effect(where) {
    const devices = 'Devices take it with their next look at the settings.';
    return { workspace: 'The workspace takes the next events through it.', both: `${devices} The workspace takes the next events of others through it.` }[where] || devices;
  }

  async rollBack(pressed, version) {
    const { where } = this.answer.versions.find((one) => one.version === version);
    const yes = await confirmed({
      title: `Deploy version ${version} again?`, action: 'Deploy again',
      text: `It gets a new number, for all ${takersOf(where)}. ${PluginsPlace.effect(where)}`,
      review: async () => ({ content: PluginsPlace.difference(this.deployed, await this.text(version)) }),
    });
    if (!yes) return;
    await this.change(pressed, async () => {
      const made = await Workspace.send('POST', this.path('/rollback'), { version });
      return `Version ${made.version} has the text of version ${version}, for all ${takersOf(where)}.`;
    });
  }

  // Versions

  versions() {
    const { versions, forAll } = this.answer;
    if (!versions.length) {
      return part('Live plugins', [], nothing('Nothing is deployed yet',
        'Live plugins are small JavaScript classes that change, drop or make events inside the app. Write one below.'));
    }
    const rows = versions.map((version) => this.row(version, version.version === forAll));
    const off = this.deploys && versions[0].bytes ? button('Switch off …', (event) => this.switchOff(event.target)) : undefined;
    return part('Versions', [off], table(['Version', 'Deployed', 'Share', 'Runs', 'Size', 'Signed', 'SHA-256', ''], rows,
      { label: 'Versions' }), this.compared);
  }

  row(version, isForAll) {
    const actions = version.bytes ? element('div', { class: 'actions' },
      button('What changed', () => this.compare(version.version), { class: 'button small' }),
      this.deploys ? button('Edit', () => this.edit(version.version), { class: 'button small' }) : undefined,
      this.deploys && version !== this.answer.versions[0] ? button('Deploy again',
        (event) => this.rollBack(event.target, version.version), { class: 'button small' }) : undefined) : '';
    const cells = [
      `v${version.version}`, TimeTable.long(Date.parse(version.deployedAt)), version.percentage ? `${version.percentage} %` : 'shadow', wordsOf(version.where),
      version.bytes ? `${count(version.bytes)} bytes` : 'switched off', version.signed ? 'yes' : 'no',
      element('code', { title: version.sha256 }, version.sha256.slice(0, 12)), actions,
    ];
    cells.attributes = { 'data-current': String(isForAll) };
    return cells;
  }

  async compare(version) {
    await Messages.during(undefined, async () => {
      const older = this.answer.versions.filter((one) => one.version < version && one.bytes);
      const choices = [['', 'nothing'], ...older.map((one) => [String(one.version), `version ${one.version}`])];
      const other = choice(choices, older.length ? String(older[0].version) : '', {
        'aria-label': 'Compare with', change: () => draw(),
      });
      const lines = element('div');
      const draw = async () => {
        const before = other.value ? await this.text(Number(other.value)) : '';
        lines.replaceChildren(drawDiff(before, await this.text(version)));
      };
      this.compared.replaceChildren(element('div', { class: 'part-head' },
        element('h3', {}, `Version ${version} compared with`), other), lines);
      await draw();
    });
  }

  async edit(version) {
    const done = await Messages.during(undefined, async () => {
      const text = await this.text(version);
      this.drafts.leave();
      this.editor.value = text;
      this.editor.noteStored();
      this.drafts.keep();
    });
    if (!done) return;
    this.editor.root.scrollIntoView({ block: 'center' });
    await this.check();
  }

  async switchOff(pressed) {
    const yes = await confirmed({
      title: 'Switch live plugins off?', action: 'Switch off',
      text: 'Devices stop the plugins with their next look at the settings. Deploying a version switches them on again.',
    });
    if (!yes) return;
    await this.change(pressed, async () => {
      await Workspace.remove(this.path());
      return 'Live plugins are off for all devices.';
    });
  }

  // Writing, trying, deploying

  writing() {
    if (!this.deploys) return part('Text', [], this.editor.root);
    this.events = choice(Limits.trialEvents.map((number) => [String(number), `newest ${count(number)} events`]),
      String(Limits.trialEvents[1]), { id: 'trial-events', 'aria-label': 'Try on' });
    this.only = Only.ofAddress();
    this.of = this.only ? choice([['name', `named ${this.only.label}`], ['', 'of all names']], 'name',
      { id: 'trial-of', 'aria-label': 'Events' }) : undefined;
    this.plan = new PlanForm(this.answer.versions.some((version) => version.bytes && version.percentage === 100));
    const [newest] = this.answer.versions;
    const known = Where.map(([name, words]) => [name, `runs ${words}`]);
    const places = newest?.bytes ? known : [['', 'runs where it reaches what comes'], ...known];
    this.where = choice(places, newest?.bytes ? newest.where : '', { id: 'where', 'aria-label': 'Runs', change: () => this.offerShares() });
    this.share = choice([], '', { id: 'share', 'aria-label': 'Deploy to', change: () => this.showPlan() });
    this.offerShares();
    this.deployButton = button('Deploy …', (event) => this.deploy(event.target), { id: 'deploy', class: 'button strong' });
    return part('Write', [], this.drafts.root, this.editor.root,
      element('div', { class: 'actions' },
        this.events, this.of, button('Try', (event) => this.tryIt(event.target), { id: 'try' }),
        element('span', { class: 'divider' }),
        this.where, this.share, this.deployButton),
      this.plan.root, ...this.signing(), this.result);
  }

  /// The shares that a version can go to. One for the workspace alone has no stages, because devices decide about them.
  offerShares() {
    const takers = takersOf(this.where.value);
    const shares = [1, 5, 10, 25, 50].map((share) => [String(share), `${share} % of ${takers}`]);
    const stages = this.where.value === 'workspace' ? [] : [['plan', 'more devices in stages']];
    this.share.replaceChildren(...[...stages, ...shares, ['100', `all ${takers} at once`]].map(([value, words]) => element('option', { value }, words)));
    this.share.value = stages.length ? 'plan' : '5';
    this.showPlan();
  }

  showPlan() {
    this.plan.root.hidden = this.share.value !== 'plan';
  }

  /// When the deployed version is signed, apps may accept only signed versions.
  signing() {
    if (!this.answer.versions[0]?.signed) return [];
    this.signature = textInput('', { id: 'signature', placeholder: 'base 64' });
    const save = button('Download the text to sign', () => saveFile('plugins.js', this.editor.value, 'text/javascript'));
    return [note('The deployed version is signed. Apps that check signatures do not run a version without one. Only you '
      + 'have the key: sign the file where the key is, and put the signature here.', 'changed'),
    element('div', { class: 'line-form' }, save, field('Ed25519 signature of the text', this.signature))];
  }

  textChanged() {
    this.drafts.changed();
    this.checkSoon();
  }

  /// Shows findings. A text with an error cannot be deployed.
  show(findings) {
    this.editor.show(findings);
    const { hasErrors } = this.editor;
    this.deployButton.disabled = hasErrors;
    this.deployButton.title = hasErrors ? 'Mend the errors first: they are named below the text.' : '';
  }

  /// Checks the text when nothing was typed for a moment.
  checkSoon() {
    this.checking ||= new Check((signal) => this.check(signal));
    this.checking.soon();
  }

  async check(signal) {
    const text = this.editor.value;
    try {
      const answer = await this.trial(0, { signal });
      // A later text has a check of its own.
      if (text === this.editor.value) this.show(answer.findings);
    } catch {
      // The server may still be busy with an earlier text. A trial shows the reason.
      if (signal && !signal.aborted) this.checking.again();
    }
  }

  /// `only` is a query for the events of a name.
  trial(events, { signal, only = '' } = {}) {
    return Workspace.answer(this.path(`/try?last=${events}${only}`), this.editor.value, 'POST', 'text/javascript', signal);
  }

  async tryIt(pressed) {
    this.result.replaceChildren(note('Trying …'));
    const done = await Messages.during(pressed, async () => {
      const answer = await this.trial(this.events.value, { only: this.of?.value ? this.only.query : '' });
      this.show(answer.findings);
      this.result.replaceChildren(...new TrialReport(answer).draw());
    });
    if (!done) this.result.replaceChildren();
  }

  /// The errors of a text, its differences on stored sessions, what versions of the app would not let it do, and its difference
  /// to the version that was deployed last.
  async review(text, signal) {
    const answer = await this.trial(Limits.trialEvents[1], { signal });
    const errors = answer.findings.filter((finding) => finding.severity === 'error');
    this.show(answer.findings);
    const onSessions = errors.length ? [] : await this.onSessions(text, signal);
    return {
      isBlocked: errors.length > 0,
      needed: this.golden?.isBroken ? [this.golden.reason] : [],
      content: [...errors.map(({ line, message }) => note(line ? `Line ${line}: ${message}` : message, 'failed')),
        ...onSessions,
        ...(this.answer.versions[0]?.where === 'workspace' ? [] : new TrialReport(answer).apps()),
        ...PluginsPlace.difference(this.deployed, text)],
    };
  }

  /// The differences on stored sessions. A server that cannot play them says why.
  async onSessions(text, signal) {
    this.golden = undefined;
    try {
      this.golden = new GoldenReview(await Workspace.answer(this.path('/review'), text, 'POST', 'text/javascript', signal));
      return this.golden.draw();
    } catch (error) {
      if (signal.aborted) throw error;
      return [note(`Stored sessions could not be played: ${error.message}.`, 'changed')];
    }
  }

  static difference(before, after) {
    return [element('h3', {}, before ? 'Difference to the version that was deployed last' : 'The first version'), drawDiff(before, after)];
  }

  async deploy(pressed) {
    const text = this.editor.value;
    const staged = this.share.value === 'plan';
    const share = this.share.value;
    const where = this.where.value;
    const to = share === '100' ? `all ${takersOf(where)} at once` : `${share} % of ${takersOf(where)}`;
    const yes = await confirmed({
      title: staged ? 'Deploy in stages?' : `Deploy to ${to}?`, action: 'Deploy',
      text: `${plural(new Blob([text]).size, 'byte')}. ${PluginsPlace.effect(where)}`
        + (staged ? ` The shares of devices are ${this.plan.stages.value} %; the next stage begins while the reports are good.` : ''),
      review: (signal) => this.review(text, signal),
    });
    if (!yes) return;
    await this.change(pressed, async () => {
      const headers = { Accept: 'application/json', 'Content-Type': 'text/javascript' };
      if (this.signature?.value) headers['Tributary-Signature'] = this.signature.value.trim();
      const query = staged ? this.plan.query : new URLSearchParams({ percentage: share });
      if (where) query.set('where', where);
      if (this.golden?.isBroken) query.set('reason', this.golden.reason.value.trim());
      const made = JSON.parse(await Workspace.text(this.path(`?${query}`),
        { method: 'PUT', headers, body: text }));
      this.editor.noteStored();
      this.drafts.leave();
      return made.percentage ? `Version ${made.version} is deployed to ${made.percentage} % of ${takersOf(made.where)}.`
        : `Version ${made.version} runs as a shadow on ${query.get('shadow')} % of devices.`;
    });
  }
}
