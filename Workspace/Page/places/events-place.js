// The events as they arrive, and the path of each of them.
//
//   stream ─▶ Feed (bounded, newest first) ─▶ Filter ─▶ EventList (only the rows in sight are in the document)
//                                                        └─▶ Panel (path, steps, times, JSON of one event)

import { queryOf } from '../api/conditions.js';
import { ConditionsBar, conditionsHere, showConditions } from '../parts/conditions-bar.js';
import { Deployment } from '../events/deployment.js';
import { byId, element, on } from '../parts/elements.js';
import { Feed, Filter, Item } from '../events/events.js';
import { Counters, Sparkline } from '../charts/figures.js';
import { DeploymentInterval, Limits, Outcomes, RetryDelays, RowTypes } from '../api/limits.js';
import { EventList } from '../events/list.js';
import { begin } from '../parts/guard.js';
import { Lists } from '../api/lists.js';
import { EmptyState, Rejections } from '../events/notices.js';
import { showMissingEvent, storedEvent } from '../events/named.js';
import { Only } from '../events/only.js';
import { Panel } from '../events/panel.js';
import { Address, drawPlaces } from './places.js';
import { presence } from '../api/presence.js';
import { missingSource, noSource, sourceName } from './surroundings.js';
import { count, plural, span } from '../parts/text.js';
import { Connection, Workspace } from '../api/workspace.js';

export class EventsPlace {
  static isLive = true;
  static kept = undefined;

  /// The place belongs to elements of the document, so there is one of it.
  static get only() {
    EventsPlace.kept ||= new EventsPlace();
    return EventsPlace.kept;
  }

  feed = new Feed();
  filter = new Filter();
  lists = new Lists(this.filter);
  counters = new Counters();
  connectionState = 'connecting';
  paused = false;
  loaded = false; // the first answer of the workspace is here
  catchingUp = false;
  writeKeys = [];
  older = { known: false, more: false }; // whether the workspace has events before those in the list

  constructor() {
    this.panel = new Panel(byId('panel'), () => this.panelClosed());
    this.deployment = new Deployment(this.panel);
    this.rejections = new Rejections(this.panel);
    this.empty = new EmptyState(byId('empty'));
    this.sparkline = new Sparkline(byId('spark-stored'), byId('spark-drops'), byId('rate'));
    this.list = new EventList({
      scroll: byId('scroll'), grid: byId('events'), body: byId('rows'), open: (item) => this.openItem(item),
    });
    this.connection = new Connection({
      changed: (state) => this.connectionChanged(state), received: (kind, text) => this.received(kind, text),
    });
    presence.listen(() => this.showStatus());
    this.listen();
  }

  /// Shows the events that the address asks for, from now on.
  enter() {
    this.isHere = true;
    this.readAddress();
    this.beginAgain(true);
    this.connection.open();
    this.timers = [setInterval(() => this.sparkline.draw(), 500),
      setInterval(() => begin(() => this.refreshDeployment()), DeploymentInterval), setInterval(() => this.showHeard(), 1000)];
    this.list.resized();
    this.draw();
    begin(() => this.openNamed(Address.event));
  }

  /// Shows what another address of this place asks for. The details stay open while they are of the same event.
  follow() {
    const before = this.shown;
    const open = this.panel.item?.messageId ?? '';
    this.readAddress();
    if (this.shown !== before) this.startAgain(true);
    if (Address.event === open) return;
    if (Address.event) begin(() => this.openNamed(Address.event));
    else this.panel.close();
  }

  readAddress() {
    this.filter.writeKey = Address.get('source');
    this.filter.only = Only.ofAddress();
    this.filter.conditions = conditionsHere();
    this.bar = new ConditionsBar(false);
    byId('conditions').replaceChildren(this.bar.root);
    this.makeChips();
  }

  /// Names the events in the list, so that the place knows when others are asked for.
  get shown() {
    const { writeKey, only, conditions } = this.filter;
    return JSON.stringify([writeKey, only?.query, queryOf(conditions)]);
  }

  /// Shows the event that the address names.
  async openNamed(messageId) {
    if (!messageId) return;
    // An older link has the address of now from here on.
    Address.nameEvent(messageId);
    const isWanted = () => this.isHere && Address.event === messageId;
    try {
      const text = await storedEvent(messageId);
      if (!isWanted()) return;
      if (text) this.panel.show(Item.stored(JSON.parse(text), text));
      else showMissingEvent(this.panel, messageId);
    } catch (error) {
      if (isWanted()) throw new Error(`The event ${messageId} of the address cannot be shown: ${error.message}`);
    }
  }

  /// Ends the stream, because another place is shown.
  close() {
    this.isHere = false;
    this.connection.close();
    for (const timer of this.timers) clearInterval(timer);
    clearTimeout(this.catchUpTimer);
    this.connectionState = 'connecting';
    this.showStatus();
    this.panel.close();
    // Its answers come too late from now on.
    this.feed = new Feed();
  }

  listen() {
    on(byId('pause'), 'click', () => this.pause(!this.paused));
    on(byId('fresh'), 'click', () => this.toTop());
    on(byId('count-rejected'), 'click', () => this.rejections.show(this.lists.scope('&')));
    on(byId('older'), 'click', () => this.loadOlder());
    on(byId('filter'), 'input', (event) => {
      this.filter.text = event.target.value;
      this.filterChanged();
    });
    on(byId('scroll'), 'scroll', () => this.schedule(), { passive: true });
    // A finger that scrolls does not stay.
    const list = byId('scroll').parentElement;
    on(list, 'pointerenter', (event) => { if (event.pointerType === 'mouse') this.point(true); });
    on(list, 'pointerleave', () => this.point(false));
    new ResizeObserver(() => this.list.resized()).observe(byId('scroll'));
    on(document, 'keydown', (event) => this.key(event));
    on(document, 'visibilitychange', () => this.refreshDeployment());
  }

  // Frames

  /// Everything that arrives between two frames is drawn in one go.
  schedule() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = undefined;
      if (this.isHere) this.draw();
    });
  }

  get holding() {
    return this.paused || this.catchingUp || !this.list.atTop || this.isPointedAt;
  }

  /// Rows must not move away under the pointer. An empty list has none.
  get isPointedAt() {
    return this.pointed && this.feed.items.length > 0;
  }

  draw() {
    if (!this.holding) this.showWaiting();
    // The end of a full list was cut off, so what is older begins there.
    if (this.feed.items.length >= this.feed.limit) Object.assign(this.older, { more: true, before: undefined });
    const shown = this.feed.items.filter((item) => this.filter.matches(item));
    this.list.show(shown);
    if (this.panel.item) this.panel.show(this.panel.item);
    this.drawEmpty(shown.length);
    this.drawHeld();
    byId('older').hidden = !shown.length || !this.canShowOlder;
  }

  showWaiting() {
    if (!this.filter.active) this.feed.trim();
    this.feed.show(this.sparkline.lastSecond <= Limits.freshRate);
  }

  get canShowOlder() {
    return this.older.more && this.feed.items.length < Limits.rowsWithOlder;
  }

  drawEmpty(shown) {
    if (this.missing) this.empty.show(`missing ${this.missing}`, () => [missingSource(this.missing, this.sources)]);
    else if (shown) this.empty.hide();
    else if (this.feed.items.length || (this.loaded && (this.filter.only || this.filter.conditions.length))) {
      const older = this.canShowOlder ? () => this.loadOlder() : undefined;
      const left = this.filter.conditions.length ? this.older.left : undefined;
      this.empty.show(`filtered ${Boolean(older)} ${left}`,
        () => EmptyState.nothingMatches(() => this.clearFilter(), older, left));
    } else if (this.loaded && !this.feed.waiting.length) {
      const writeKey = this.filter.writeKey || this.writeKeys[0];
      if (writeKey) this.empty.show(`first ${writeKey}`, () => EmptyState.first(writeKey));
      else this.empty.show('no source', () => [noSource()]);
    } else this.empty.hide();
  }

  /// The number of events that wait because the reader paused or reads further down.
  drawHeld() {
    const waiting = this.feed.unseen;
    const button = byId('pause');
    button.textContent = this.paused ? (waiting ? `Resume · ${count(waiting)} new` : 'Resume') : 'Pause';
    const fresh = byId('fresh');
    fresh.hidden = this.paused || this.catchingUp || !waiting || !this.holding;
    if (!fresh.hidden) fresh.textContent = `↑ ${plural(waiting, 'new event')}`;
  }

  // The stream

  received(kind, text) {
    let record;
    try {
      record = JSON.parse(text);
    } catch {
      return; // A message that was cut off; its content comes again with the next look at the list.
    }
    if (kind === 'stats') this.statsArrived(record);
    else this.take(kind, record, text);
    this.schedule();
  }

  take(kind, record, text) {
    if (this.filter.writeKey && record.writeKey && record.writeKey !== this.filter.writeKey) return;
    if (this.filter.only && !this.filter.only.takes(kind, record)) return;
    if (this.filter.conditions.length && !this.takesSearched(kind, record)) return;
    const item = this.feed[{ event: 'stored' }[kind] || kind](record, text);
    if (!item) return;
    item.fresh = true;
    if (kind === 'signal') return;
    this.sparkline.add(kind === 'event' ? 'stored' : 'drops');
  }

  /// Only the server knows what meets the conditions, and the stream has all. So a message of the stream makes the place ask; a
  /// device's report may be about an event that is in the list already.
  takesSearched(kind, record) {
    const isReport = kind === 'trace' && record.outcome !== 'dropped';
    if (!isReport && Number.isFinite(record.sequence)) {
      this.unsearched = Math.min(this.unsearched ?? Infinity, record.sequence);
      if (!this.searching) begin(() => this.searchNew());
    }
    return isReport;
  }

  /// Asks for the new events that meet the conditions until there are no others, with pauses.
  async searchNew() {
    this.searching = true;
    while (this.isHere && this.unsearched !== undefined) {
      const [feed, sequence] = [this.feed, this.unsearched];
      this.unsearched = undefined;
      try {
        const found = await this.lists.since(sequence - 1);
        if (feed === this.feed) this.found(found);
        this.problem = undefined;
      } catch (error) {
        if (feed === this.feed) this.unsearched = Math.min(this.unsearched ?? Infinity, sequence);
        this.problem = `new events could not be read: ${error.message}`;
      }
      this.showStatus();
      const pause = this.problem ? RetryDelays.at(-1) : Limits.searchPause;
      await new Promise((done) => { setTimeout(done, pause); });
    }
    this.searching = false;
  }

  found(entries) {
    for (const { kind, record, raw } of entries) {
      const item = this.feed[kind](record, raw);
      if (!item) continue;
      item.fresh = true;
      if (kind !== 'signal') this.sparkline.add(kind === 'stored' ? 'stored' : 'drops');
    }
    this.schedule();
  }

  statsArrived(stats) {
    // A look that fails is repeated with the next figures.
    if (this.filter.writeKey) this.refreshStats().catch(() => {});
    else this.counters.show(stats);
  }

  async connectionChanged(state) {
    const before = this.connectionState;
    this.connectionState = state;
    this.showStatus();
    if (state === 'live' && before !== 'live') await this.catchUp();
  }

  /// Reads the events that were stored while no stream was open. The page shows no newer event before, so that the
  /// order is right.
  async catchUp() {
    const feed = this.feed;
    this.catchingUp = true;
    const sources = this.readSources();
    try {
      // The stream has the figures of all sources. Browsers ask only for a few things at a time.
      await Promise.all([this.readNewest(feed), sources, this.filter.writeKey ? this.refreshStats() : undefined]);
      if (feed !== this.feed) return; // The reader chose other events meanwhile, which catch up by themselves.
      this.problem = undefined;
      this.loaded = true;
    } catch (error) {
      await sources.catch(() => {}); // Its failure is the error, or comes again.
      if (feed !== this.feed) return;
      // A source that is not there has no events.
      this.problem = this.missing ? undefined : `earlier events could not be read: ${error.message}`;
      if (!this.missing) this.catchUpAgain();
    }
    this.catchingUp = false;
    this.showStatus();
    this.schedule();
  }

  catchUpAgain() {
    clearTimeout(this.catchUpTimer);
    this.catchUpTimer = setTimeout(() => {
      if (this.connectionState === 'live') begin(() => this.catchUp());
    }, RetryDelays.at(-1));
  }

  async readNewest(feed) {
    const place = feed.waiting.length;
    const { entries, more, before, left } = await this.lists.page('');
    if (feed !== this.feed) return;
    if (!this.older.known) this.older = { known: true, more, before, left };
    feed.insert(entries, place);
  }

  async loadOlder() {
    const button = byId('older');
    const feed = this.feed;
    button.disabled = true;
    try {
      const { entries, more, before, left } = await this.lists.page(`&before=${this.older.before ?? feed.firstSequence}`);
      feed.append(entries.reverse());
      if (feed === this.feed) Object.assign(this.older, { more, before, left });
      this.problem = undefined;
    } catch (error) {
      this.problem = `older events could not be read: ${error.message}`;
    }
    button.disabled = false;
    this.showStatus();
    this.schedule();
  }

  // Sources, counters, deployments

  async readSources() {
    const answer = await Workspace.json('/api/sources');
    const { sources } = answer;
    this.sources = sources;
    this.writeKeys = sources.map((source) => source.writeKey);
    const choices = sources.map((source) => element('option', { value: source.writeKey }, sourceName(source)));
    const all = choices.length === 1 ? [] : [element('option', { value: '' }, 'All sources')];
    const select = byId('source');
    select.replaceChildren(...all, ...choices);
    select.hidden = !sources.length;
    const { writeKey } = this.filter;
    this.missing = writeKey && !this.writeKeys.includes(writeKey) ? writeKey : undefined;
    if (!this.missing) select.value = writeKey || (all.length ? '' : this.writeKeys[0] || '');
    else select.selectedIndex = -1;
    begin(() => this.refreshDeployment());
  }

  async refreshStats() {
    if (this.readingStats) return;
    this.readingStats = true;
    try {
      this.counters.show(await Workspace.json(`/api/stats${this.lists.scope('?')}`, { isQuiet: true }));
    } finally {
      this.readingStats = false;
    }
  }

  async refreshDeployment() {
    if (this.connectionState !== 'live' || document.hidden) return;
    try {
      await this.deployment.refresh(this.filter.writeKey || this.writeKeys[0]);
    } catch {
      // The page keeps the last state; the next look comes in a few seconds.
    }
  }

  /// Starts again with the events of one source, or of all.
  chooseSource(writeKey) {
    this.filter.writeKey = writeKey;
    Address.set({ source: writeKey });
    drawPlaces();
    this.startAgain();
    begin(() => this.refreshDeployment());
  }

  /// Starts again, because the page shows other events now. The details are closed unless they are kept.
  startAgain(keepsPanel = false) {
    this.beginAgain(keepsPanel);
    begin(() => this.catchUp());
  }

  beginAgain(keepsPanel = false) {
    this.feed = new Feed();
    this.unsearched = undefined;
    this.older = { known: false, more: false };
    this.loaded = false;
    this.missing = undefined;
    this.list.toTop();
    if (!keepsPanel) this.panel.close();
  }

  // State

  showStatus() {
    const words = { connecting: 'Connecting', live: 'Live', lost: 'Connection lost, trying again', silent: 'No answer' };
    // A server that hangs keeps the stream open.
    const isSilent = this.connectionState === 'live' && presence.awaySince !== undefined;
    const state = isSilent ? 'silent' : this.connectionState;
    const held = this.paused && state === 'live';
    const text = held ? 'Paused' : words[state];
    const status = byId('status');
    status.dataset.state = held ? 'paused' : (isSilent ? 'lost' : state);
    const full = this.problem && this.connectionState === 'live' ? `${text}; ${this.problem}` : text;
    if (byId('status-text').textContent !== full) byId('status-text').textContent = full;
  }

  /// How long ago the stream sent something. It does so at least each 15 seconds.
  showHeard() {
    this.connection.check();
    const { heardAt } = this.connection;
    byId('heard').textContent = heardAt ? `last message ${span(1000 * Math.max(1, Math.round((Date.now() - heardAt) / 1000)))} ago` : '';
  }

  pause(paused) {
    this.paused = paused;
    byId('pause').setAttribute('aria-pressed', paused);
    this.showStatus();
    this.schedule();
  }

  /// Shows what waits, also while the pointer is over the list.
  toTop() {
    this.list.toTop();
    if (!this.paused && !this.catchingUp) this.showWaiting();
    this.schedule();
  }

  point(isOver) {
    this.pointed = isOver;
    this.schedule();
  }

  openItem(item) {
    this.list.select(item);
    this.panel.show(item);
    this.nameEvent(item);
  }

  /// Puts the event into the address, so that it can be shared. Only stored events can be asked for by their id.
  nameEvent(item) {
    Address.nameEvent(item.kind === 'event' ? item.messageId : '');
  }

  panelClosed() {
    if (!this.isHere) return;
    Address.nameEvent('');
    byId('events').focus({ preventScroll: true });
  }

  // Filter

  makeChips() {
    const chip = (set, name, attributes) => element('button', {
      class: 'chip', type: 'button', 'aria-pressed': String(set.has(name)), ...attributes, click: (event) => {
        if (!set.delete(name)) set.add(name);
        event.currentTarget.setAttribute('aria-pressed', set.has(name));
        this.filterChanged();
      },
    }, name);
    const { only } = this.filter;
    byId('chips').replaceChildren(...(only ? [only.chip(() => this.showAll())] : []), this.bar.adding,
      ...RowTypes.map((type) => chip(this.filter.types, type, { 'data-type': type })),
      element('span', { class: 'divider', 'aria-hidden': 'true' }),
      ...Outcomes.map((outcome) => chip(this.filter.outcomes, outcome, { 'data-outcome': outcome })));
  }

  filterChanged() {
    this.list.toTop();
    this.schedule();
  }

  /// Shows the events of all names again.
  showAll() {
    this.filter.only = undefined;
    Only.forget();
    byId('chips').querySelector('.only')?.remove();
    this.startAgain();
  }

  clearFilter() {
    if (this.filter.only) this.showAll();
    if (this.filter.conditions.length) showConditions([]);
    this.filter.clear();
    byId('filter').value = '';
    for (const chip of byId('chips').querySelectorAll('.chip[aria-pressed]')) chip.setAttribute('aria-pressed', 'false');
    this.filterChanged();
  }

  // Keys

  key(event) {
    if (!this.isHere || document.querySelector('dialog[open]')) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('textarea, input:not(#filter)') && event.key !== 'Escape') return;
    const writing = event.target === byId('filter');
    if (event.key === 'Escape') this.escape(writing);
    else if (writing && event.key !== 'ArrowDown') return;
    else if (!this.navigate(event)) return;
    event.preventDefault();
  }

  escape(writing) {
    if (writing) {
      byId('filter').value = '';
      this.filter.text = '';
      this.filterChanged();
      byId('events').focus();
    } else this.panel.close();
  }

  /// True when the page uses the key.
  navigate(event) {
    const inControl = event.target.closest('button, select, summary, a');
    const inPanel = event.target.closest('.panel');
    switch (event.key) {
      case '/': byId('filter').focus(); return true;
      case ' ':
        if (inControl) return false;
        this.pause(!this.paused);
        return true;
      case 'Enter':
        if (inControl || !this.list.selected) return false;
        this.openItem(this.list.selected);
        return true;
      case 'ArrowDown': case 'ArrowUp': case 'PageDown': case 'PageUp': case 'Home': case 'End':
        if (inPanel || event.target.closest('select')) return false;
        this.move(event.key);
        return true;
      default: return false;
    }
  }

  move(key) {
    const page = this.list.pageLength;
    const steps = {
      ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity,
    };
    byId('events').focus({ preventScroll: true });
    const item = this.list.move(steps[key]);
    if (item && this.panel.item) {
      this.panel.show(item);
      this.nameEvent(item);
    }
    this.schedule();
  }
}
