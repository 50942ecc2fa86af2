// Shows that the page waits for the server, and that the server is away.

import { element } from './elements.js';
import { begin } from './guard.js';
import { presence } from '../api/presence.js';
import { clock } from './text.js';

/// The bar of progress and the banner. `again` reads again what the page shows, `isEmpty` says whether it shows nothing yet,
/// and `isLive` whether it follows the stream, and so catches up by itself.
export class PresenceView {
  constructor({ again, isEmpty, isLive }) {
    Object.assign(this, { again, isEmpty, isLive });
    this.bar = element('div', { id: 'progress', class: 'progress', role: 'progressbar', 'aria-label': 'Waiting for the server', hidden: true });
    this.text = element('span');
    this.button = element('button', { class: 'button small', type: 'button', click: () => this.press() });
    this.banner = element('div', { id: 'away', class: 'away', role: 'alert', hidden: true }, this.text, this.button);
  }

  start() {
    document.body.append(this.bar, this.banner);
    presence.listen(() => this.draw());
    presence.start();
  }

  draw() {
    this.bar.hidden = !presence.isSlow;
    const { awaySince } = presence;
    if (awaySince !== undefined) this.show('away', `The server has not answered since ${PresenceView.time(awaySince)}.`, 'Try now');
    else if (this.state === 'away') this.returned();
  }

  /// The server is back. The page still has old figures, until the reader reads them again.
  returned() {
    if (this.isLive()) this.hide();
    else if (this.isEmpty()) begin(() => this.readAgain());
    else this.show('back', 'The server answers again.', 'Read again');
  }

  show(state, sentence, label) {
    if (this.state !== state) {
      this.shownAt ??= presence.shownAt;
      this.state = state;
      this.banner.dataset.state = state;
      this.text.textContent = `${sentence} You see what it said at ${PresenceView.time(this.shownAt)}.`;
      this.button.textContent = label;
    }
    this.banner.hidden = false;
  }

  hide() {
    this.banner.hidden = true;
    this.state = undefined;
    this.shownAt = undefined;
  }

  async press() {
    if (this.state === 'away') {
      await presence.ask();
      return;
    }
    await this.readAgain();
  }

  async readAgain() {
    this.hide();
    await this.again();
  }

  static time(milliseconds) {
    return clock(milliseconds).slice(0, 8);
  }
}
