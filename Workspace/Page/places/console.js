// The frame of the page: the header, the links, and the place of the address. A link to another place changes the place in this
// document, so that nothing but its data is loaded.

import { byId, element, on } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { button, nothing } from '../parts/parts.js';
import { Palette } from './palette.js';
import { PresenceView } from '../parts/presence-view.js';
import { Surroundings } from './surroundings.js';
import { Address, Places, drawPlaces, placeOf } from './places.js';

/// How to load the class of each place. A browser loads the module of the first place with the document.
const Kinds = {
  '/': async () => (await import('./events-place.js')).EventsPlace,
  '/access': async () => (await import('./access-place.js')).AccessPlace,
  '/audit': async () => (await import('./audit-place.js')).AuditPlace,
  '/board': async () => (await import('./board-place.js')).BoardPlace,
  '/catalog': async () => (await import('./catalog-place.js')).CatalogPlace,
  '/cluster': async () => (await import('./cluster-place.js')).ClusterPlace,
  '/destinations': async () => (await import('./destinations-place.js')).DestinationsPlace,
  '/explore': async () => (await import('./explore-place.js')).ExplorePlace,
  '/filters': async () => (await import('./filters-place.js')).FiltersPlace,
  '/live-plugins': async () => (await import('./live-plugins-place.js')).PluginsPlace,
  '/people': async () => (await import('./people-place.js')).PeoplePlace,
  '/plan': async () => (await import('./plan-place.js')).PlanPlace,
  '/problems': async () => (await import('./problems-place.js')).ProblemsPlace,
  '/sessions': async () => (await import('./sessions-place.js')).SignalsPlace,
  '/sql': async () => (await import('./sql-place.js')).SQLPlace,
  '/sources': async () => (await import('./sources-place.js')).SourcesPlace,
};

class Console {
  surroundings = new Surroundings();
  turn = 0; // of the last opening; the answers to an earlier one come too late

  start() {
    new PresenceView({
      again: () => this.open(), isEmpty: () => this.hasFailed, isLive: () => Boolean(this.kind?.isLive),
    }).start();
    this.palette = new Palette();
    on(byId('source'), 'change', (event) => this.choose(event.target.value));
    on(document, 'click', (event) => this.follow(event));
    on(window, 'visit', () => this.go());
    on(window, 'popstate', () => {
      // The browser also says this when only the part after the number sign changed.
      if (!Address.isShown) begin(() => this.go());
    });
    this.palette.listen();
    return this.go();
  }

  // Changing places

  /// Goes where a link leads, if that is a place.
  follow(event) {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest('a[href]');
    if (!link || link.hasAttribute('download') || link.target || link.hash) return;
    if (link.origin !== location.origin || !Object.hasOwn(Kinds, placeOf(link.pathname))) return;
    event.preventDefault();
    Address.visit(link.href);
  }

  /// Shows the place of the address.
  async go() {
    const isFirst = !this.turn;
    const path = placeOf(location.pathname);
    Address.noteShown();
    if (this.place && this.kind?.isLive && path === '/') {
      this.followWithin();
      return;
    }
    this.leave();
    document.title = `${Places.find((place) => place.path === path).name} · Tributary workspace`;
    drawPlaces();
    const turn = this.turn;
    let kind;
    try {
      kind = await Kinds[path]();
    } catch {
      // The server may have another version now, with other modules. A document that was just loaded has the right ones.
      if (!isFirst) {
        location.reload();
        return;
      }
      throw new Error('A part of the page could not be loaded. Load the page again');
    }
    if (turn !== this.turn) return;
    this.kind = kind;
    this.frame(path);
    await this.open();
    // The link that was pressed is drawn again, so the focus would be lost.
    if (!isFirst && this.kind === kind && document.activeElement === document.body) this.main.focus({ preventScroll: true });
  }

  /// Shows other events in the place of the events, which stays open.
  followWithin() {
    drawPlaces();
    this.place.follow();
    if (document.activeElement === document.body) this.main.focus({ preventScroll: true });
  }

  /// Ends the work of the place that is shown.
  leave() {
    this.turn += 1;
    this.place?.close?.();
    this.place = undefined;
    this.kind = undefined;
    for (const dialog of document.querySelectorAll('dialog.question[open]')) dialog.close('no');
    byId('place').replaceChildren();
  }

  /// Shows the elements that the place needs.
  frame(path) {
    const isLive = Boolean(this.kind.isLive);
    document.body.classList.toggle('with-place', !isLive);
    for (const part of document.querySelectorAll('.of-events')) part.hidden = !isLive;
    byId('place').hidden = isLive;
    byId('place').setAttribute('aria-label', Places.find((place) => place.path === path).name);
    byId('skip').href = isLive ? '#events' : '#place';
  }

  get main() {
    return this.kind?.isLive ? byId('events') : byId('place');
  }

  // One place

  /// Opens the place, or opens it again with what is true now.
  async open() {
    this.turn += 1;
    const { turn } = this;
    try {
      this.hasFailed = false;
      if (this.kind.isLive) await this.openLive();
      else await this.openStill(turn);
    } catch (error) {
      if (turn !== this.turn) return;
      this.hasFailed = true;
      byId('place').replaceChildren(nothing('This cannot be shown now', `${error.message}. `,
        button('Try again', () => this.open())));
    }
  }

  /// The place of the events reads its sources by itself, after each break of its stream.
  async openLive() {
    this.place = this.kind.only;
    this.place.enter();
    await this.surroundings.readLogin();
    this.surroundings.drawLogin();
  }

  async openStill(turn) {
    await this.surroundings.read();
    if (turn !== this.turn) return;
    this.surroundings.draw(this.kind);
    this.place?.close?.();
    // Each opening has an element of its own, so that a late answer of an earlier one changes nothing.
    const root = element('div', { class: 'root' });
    const above = this.kind.above ? [this.kind.above()] : [];
    byId('place').replaceChildren(...above, root);
    const missing = this.surroundings.missing(this.kind);
    if (missing) {
      root.replaceChildren(missing);
      return;
    }
    this.place = new this.kind(root, this.surroundings, () => this.open());
    await this.place.start();
  }

  choose(writeKey) {
    if (this.place?.chooseSource) {
      this.place.chooseSource(writeKey);
      return undefined;
    }
    // A destination or a rule of the address is one of the source before.
    Address.set({ source: writeKey, destination: '', rule: '' });
    drawPlaces();
    byId('place').replaceChildren();
    return this.open();
  }
}

begin(() => new Console().start());
