// Logs in again in a dialog, so that what the reader wrote stays where it is.

import { element } from './elements.js';
import { field, textInput } from './parts.js';
import { firmDialog } from './questions.js';

let asking;

export const isLoggingIn = () => Boolean(asking);

/// Waits until the reader has logged in again.
export function loggedInAgain() {
  asking ||= new Promise((done) => new LoginDialog(done).open()).finally(() => { asking = undefined; });
  return asking;
}

class LoginDialog {
  constructor(done) {
    this.done = done;
    this.token = textInput('', { id: 'token-again', type: 'password', autocomplete: 'current-password', required: true });
    this.problem = element('p', { class: 'note', 'data-outcome': 'failed', role: 'alert', hidden: true });
    this.go = element('button', { class: 'button strong', type: 'submit' }, 'Log in');
  }

  open() {
    const title = 'Your login has ended';
    this.dialog = firmDialog(title, element('form', { method: 'dialog', submit: (event) => this.submit(event) },
      element('h2', {}, title), element('p', {}, 'Log in again to go on. What you wrote on this page is still here.'),
      field('Token', this.token), this.problem,
      element('div', { class: 'actions' }, element('a', { class: 'button', href: LoginDialog.page }, 'Go to the login page'),
        this.go)));
    this.token.focus();
  }

  static get page() {
    const place = location.pathname + location.search;
    return place === '/' ? '/login' : `/login?to=${encodeURIComponent(place)}`;
  }

  async submit(event) {
    event.preventDefault();
    this.go.disabled = true;
    const reason = await this.reason();
    this.go.disabled = false;
    this.say(reason);
  }

  /// Sends the token. Returns why it was not taken; nothing when it was.
  async reason() {
    const body = new URLSearchParams({ token: this.token.value, to: '/' });
    try {
      // The answer to a right token leads to a place, which is not needed here.
      const answer = await fetch('/login', { method: 'POST', body, redirect: 'manual' });
      if (answer.type === 'opaqueredirect' || answer.ok) return undefined;
      // The login page says why, such as that the token has ended.
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      return page.getElementById('problem')?.textContent.trim() || `The server answered with the status ${answer.status}.`;
    } catch {
      return 'The server does not answer. Try again.';
    }
  }

  say(reason) {
    if (reason === undefined) {
      this.dialog.close('done');
      this.done();
      return;
    }
    this.problem.textContent = reason;
    this.problem.hidden = false;
    this.token.select();
  }
}
