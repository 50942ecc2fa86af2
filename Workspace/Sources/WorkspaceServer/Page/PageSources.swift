/// The files of the page. Made from the folder `Page`; do not change them here.
enum PageSources {
    static let indexHTML = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Tributary workspace</title>
        <link rel="stylesheet" href="/style.css">
        <script src="/app.js" defer></script>
        </head>
        <body>
        <h1>Events</h1>
        <p id="state">connecting</p>
        <table>
        <thead><tr><th>Received</th><th>Type</th><th>Name</th><th>User</th></tr></thead>
        <tbody id="events"></tbody>
        </table>
        </body>
        </html>

        """#

    static let styleCSS = #"""
        body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
        table { border-collapse: collapse; width: 100%; }
        th, td { border-bottom: 1px solid #ddd; padding: 0.3rem 0.6rem 0.3rem 0; text-align: left; }

        """#

    static let appJS = #"""
        "use strict";
        const rows = document.getElementById("events");
        const state = document.getElementById("state");

        function add(event) {
            const row = document.createElement("tr");
            for (const text of [event.receivedAt, event.type, event.name, event.userId ?? event.anonymousId]) {
                row.insertCell().textContent = text ?? "";
            }
            rows.prepend(row);
            while (rows.rows.length > 200) rows.lastElementChild.remove();
        }

        async function start() {
            const answer = await (await fetch("/api/events?limit=100")).json();
            for (const event of answer.events.slice().reverse()) add(event);
            const last = answer.events.length ? answer.events[0].sequence : 0;
            const stream = new EventSource("/api/stream?lastEventId=" + last);
            stream.addEventListener("event", (message) => add(JSON.parse(message.data)));
            stream.addEventListener("stats", (message) => {
                state.textContent = JSON.parse(message.data).stored + " events stored";
            });
            stream.onerror = () => { state.textContent = "not connected"; };
        }

        start();

        """#
}
