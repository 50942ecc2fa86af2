"""What the tests of the console share: steps in its places, and the other end of a destination."""

import http.server
import threading

from browser import KEY, PlaceTest
from selenium.webdriver.common.by import By

PLACES = ["catalog", "plan", "explore", "board", "people", "live-plugins", "filters", "sessions", "destinations", "problems",
          "sources", "access", "audit", "sql"]
PLUGIN = """class Currency extends LivePlugin {
  constructor() { super(LivePluginType.enrichment, null); }
  track(event) {
    event.properties.currency = "EUR";
    return event;
  }
}
analytics.add(new Currency());
"""
HOSTILE = "<img src=x onerror=\"window.broken = 1\">\u202e'\"</script><script>window.broken = 1</script>"


class Receiver:
    """The other end of a webhook, or of a store of objects, which answers as it is told."""

    def __init__(self):
        self.status = 200
        self.bodies = []
        self.headers = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                outer.headers.append(dict(self.headers))
                outer.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
                self.send_response(outer.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_PUT = do_POST

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/events"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class ConsoleTest(PlaceTest):
    """A test of places, with the steps that several of them have."""

    def write(self, text, editor="#plugin-text"):
        """Replaces the text of an editor, with or without CodeMirror."""
        self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, editor), "the editor is there")
        self.browser.execute_script(
            "const mirror = document.querySelector('.CodeMirror')?.CodeMirror;"
            "const area = document.querySelector(arguments[0]);"
            "if (mirror) mirror.setValue(arguments[1]);"
            "else { area.value = arguments[1]; area.dispatchEvent(new Event('input', {bubbles: true})); }",
            editor, text)

    def deployed(self, workspace):
        return workspace.get(f"/api/sources/{KEY}/live-plugins")

    def receiver(self):
        receiver = Receiver()
        self.addCleanup(receiver.stop)
        return receiver

    def headline(self, words):
        """Waits for a title, and looks again until it is there."""
        def shown():
            self.browser.refresh()
            self.wait(lambda: self.texts("main h2"), "the place is shown")
            return any(words in text for text in self.texts("main h2"))
        self.wait(shown, f"the page says {words}")

    def drafts(self):
        return [text for text in self.texts(".draft") if "is not deployed" in text]

    def happenings(self):
        """The lines of the timeline without their times."""
        return [" ".join(line.text.split()[1:]) for line in self.browser.find_elements(
            By.CSS_SELECTOR, ".happening > summary")]

    def table_rows(self):
        """The rows as one reads them."""
        return [row.text for row in self.browser.find_elements(By.CSS_SELECTOR, "main tr")]

    def session(self, workspace, *titles):
        """Signals as an app under development sends them."""
        def event(index, kind, data):
            signal = {"anonymousId": "phone", "type": kind, "index": index, "data": data,
                      "timestamp": f"2026-11-20T10:00:{index:02d}Z"}
            return {"type": "track", "event": "Segment Signal Generated", "messageId": f"s-{index}",
                    "anonymousId": "phone", "timestamp": signal["timestamp"], "properties": signal}
        taps = [event(index + 1, "interaction", {"title": title}) for index, title in enumerate(titles)]
        workspace.post(event(0, "navigation", {"action": "entering", "screen": "Home"}), *taps)
        workspace.settle()
