// How to send a first event, in several languages.

import { code, copyButton, element } from '../parts/elements.js';
import { shellWord } from '../parts/text.js';

const quoted = (text) => JSON.stringify(text);

/// Programs by their language. Each sends one event to an address with a write key. Clients for other servers want the
/// address without the scheme, and use https only.
const Languages = {
  Swift: ({ address, key }) => ['import Tributary', '',
    `let analytics = Analytics(configuration: Configuration(writeKey: ${quoted(key)})`,
    `    .apiHost(${quoted(`${address}/v1`)})`,
    `    .cdnHost(${quoted(`${address}/v1`)}))`,
    'analytics.track(name: "First Event", properties: ["plan": "pro"])',
    'await analytics.flush(timeout: 5)'],
  curl: ({ address, key }) => [`curl ${address}/v1/track \\`, "  -H 'Content-Type: application/json' \\",
    `  -d ${shellWord(JSON.stringify({ writeKey: key, userId: 'u-1', event: 'First Event' }))}`],
  JavaScript: ({ address, key }) => ['// In a page of any origin, or in Node.',
    `await fetch(${quoted(`${address}/v1/track?writeKey=${encodeURIComponent(key)}`)}, {`,
    '  method: "POST", keepalive: true, headers: { "Content-Type": "text/plain" },',
    '  body: JSON.stringify({',
    '    messageId: crypto.randomUUID(), timestamp: new Date().toISOString(),',
    '    userId: "u-1", event: "First Event", properties: { plan: "pro" },',
    '  }),',
    '});'],
  Kotlin: ({ address, key }) => ['// With analytics-kotlin. It sends over https only.',
    'import com.segment.analytics.kotlin.android.Analytics', '',
    `val analytics = Analytics(${quoted(key)}, applicationContext) {`,
    `    apiHost = ${quoted(`${address.replace(/^https?:\/\//, '')}/v1`)}`,
    `    cdnHost = ${quoted(`${address.replace(/^https?:\/\//, '')}/v1`)}`,
    '}',
    'analytics.track("First Event")',
    'analytics.flush()'],
  Python: ({ address, key }) => ['# Without a library; with segment-analytics-python, set analytics.host to the same address.',
    'import json, urllib.request', '',
    `event = {"writeKey": ${quoted(key)}, "userId": "u-1", "event": "First Event"}`,
    'request = urllib.request.Request(',
    `    ${quoted(`${address}/v1/track`)}, json.dumps(event).encode(), {"Content-Type": "application/json"})`,
    'print(urllib.request.urlopen(request).read().decode())'],
};

/// Tabs with the programs.
export class Snippets {
  constructor(writeKey) {
    this.values = { address: location.origin, key: writeKey };
    this.tabs = Object.keys(Languages).map((name) => this.tab(name));
    this.shown = element('div', { role: 'tabpanel', id: 'snippet', tabindex: '-1' });
  }

  tab(name) {
    return element('button', {
      class: 'tab', type: 'button', role: 'tab', id: `tab-${name.toLowerCase()}`, 'aria-controls': 'snippet',
      click: () => this.choose(name),
    }, name);
  }

  draw() {
    const list = element('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Language', keydown: (event) => this.key(event) }, ...this.tabs);
    this.choose('Swift');
    return element('div', { class: 'snippets' }, list, this.shown);
  }

  choose(name) {
    for (const tab of this.tabs) {
      const isChosen = tab.textContent === name;
      tab.setAttribute('aria-selected', isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
    }
    const text = Languages[name](this.values).join('\n');
    this.shown.setAttribute('aria-labelledby', `tab-${name.toLowerCase()}`);
    this.shown.replaceChildren(code(text, `${name}: send a first event`, { id: `snippet-${name.toLowerCase()}` }), copyButton(() => text));
  }

  /// The arrow keys go from tab to tab.
  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const now = this.tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true');
    const next = this.tabs.at((now + step) % this.tabs.length);
    this.choose(next.textContent);
    next.focus();
  }
}
