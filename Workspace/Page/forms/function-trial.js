// The result of a trial of a destination function on stored events.

import { drawDiff } from '../parts/diff.js';
import { code, element } from '../parts/elements.js';
import { note } from '../parts/parts.js';
import { plural } from '../parts/text.js';

export class FunctionTrial {
  constructor(answer) {
    this.answer = answer;
  }

  /// How many events have other requests than by the deployed code.
  get line() {
    const { events, changed } = this.answer.compared;
    if (!events) return note('There is no stored event that the destination would get.');
    return note(changed ? `${changed} of the newest ${plural(events, 'event')} ${changed === 1 ? 'has' : 'have'} other requests.`
      : `The newest ${plural(events, 'event')} ${events === 1 ? 'has' : 'have'} the same requests.`, changed ? 'changed' : undefined);
  }

  draw() {
    const { calls, compared } = this.answer;
    const failed = calls.filter((call) => call.error).length;
    const shown = compared ? calls.filter((call) => !call.same) : calls;
    return [
      compared ? this.line : note(calls.length ? `${plural(calls.length, 'call')} of the newest events. Nothing was sent.`
        : 'There is no stored event that the destination would get.'),
      failed ? note(`The code fails at ${plural(failed, 'call')}.`, 'failed') : '',
      ...shown.map((call, index) => FunctionTrial.call(call, index === 0)),
    ];
  }

  static call(call, isOpen) {
    const [id, ...others] = call.messageIds;
    const [first] = call.names;
    const name = others.length ? `${first} and ${plural(others.length, 'other event')}` : first;
    const after = FunctionTrial.text(call);
    return element('details', { class: 'example', 'data-outcome': call.error ? 'failed' : 'changed', open: isOpen },
      element('summary', {}, element('strong', { title: id }, name), ` ${FunctionTrial.words(call)}`),
      call.before ? drawDiff(FunctionTrial.text(call.before), after) : code(after, 'Requests'));
  }

  static words({ requests, later, error }) {
    if (error) return 'fails';
    if (later) return 'is asked for later';
    return requests.length ? plural(requests.length, 'request') : 'sends nothing';
  }

  static text({ requests, later, error }) {
    if (error) return `error: ${error}`;
    if (later) return `later: ${later}`;
    if (!requests.length) return 'sends nothing';
    return requests.map(({ method, url, headers, body }) => [
      `${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : ['', typeof body === 'string' ? body : JSON.stringify(body, undefined, 2)]),
    ].join('\n')).join('\n\n');
  }
}
