// Messages about what was done, and about what failed.

import { byId, element } from './elements.js';
import { showAllFailures } from './guard.js';
import { Limits } from '../api/limits.js';

/// Shows the result of an action, or why it failed.
export class Messages {
  /// `link` leads to what the message is about: `{href, words}`.
  static said(text, outcome = 'stored', link = undefined) {
    const line = element('p', { class: 'message', 'data-outcome': outcome }, element('span', {}, text),
      link ? element('a', { href: link.href, click: () => line.remove() }, link.words) : undefined,
      element('button', { class: 'link', type: 'button', click: () => line.remove() }, 'Close'));
    byId('messages').replaceChildren(line);
    // A problem stays until it is closed, and so does a link, which a reader may want to follow later.
    if (outcome === 'stored' && !link) setTimeout(() => line.remove(), 8000);
  }

  static failed(error) {
    Messages.said(error.message, 'failed');
  }

  /// Does some work with a button switched off meanwhile, and shows the error when it fails.
  /// Returns whether it succeeded.
  static async during(pressed, work) {
    const slow = setTimeout(() => pressed?.setAttribute('aria-busy', 'true'), Limits.progressDelay);
    if (pressed) pressed.disabled = true;
    try {
      await work();
      return true;
    } catch (error) {
      // The page itself ended the request, or the reader said no.
      if (error.name !== 'AbortError') Messages.failed(error);
      return false;
    } finally {
      clearTimeout(slow);
      if (pressed) {
        pressed.disabled = false;
        pressed.removeAttribute('aria-busy');
        // A button that is off loses the focus, which a person with a keyboard needs again.
        if (document.activeElement === document.body) pressed.focus();
      }
    }
  }
}

showAllFailures(Messages.failed);
