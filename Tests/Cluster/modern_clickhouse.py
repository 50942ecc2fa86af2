"""A ClickHouse of today for tests: chdb, behind the part of ClickHouse's HTTP interface that nodes of a cluster and warehouses use.

chdb is ClickHouse as a library: the same parser, types, tables, settings and error numbers. It has no HTTP interface and takes no part
in replication. This program is the interface. `translated` has all that becomes another statement because of replication.

    .build-tools/chdb/bin/python Tests/Cluster/modern_clickhouse.py --port 8123 --folder DATA

`--keeper HOST:PORT` names a ZooKeeper. Then nothing is translated: chdb makes replicated tables, and takes no rows for them.
`--password` is that of the user `default`. Each statement is written to the output as a line of JSON, with the settings that came with
it and what chdb said. scripts/bootstrap cluster installs chdb.
"""

import argparse
import importlib.util
import json
import re
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

# Statements of several requests run one after the other, and so do lines of the log.
ONE_AT_A_TIME = threading.Lock()
# Parameters of a request that are no settings.
OTHERS = {"query", "query_id", "wait_end_of_query", "given_structure", "given_format"}
# The formats of rows, and a statement with rows behind it in one body.
ROWS = {"RowBinary", "RowBinaryWithNamesAndTypes"}
BEFORE_ROWS = re.compile(rb"INSERT INTO [^\n]* FORMAT RowBinaryWithNamesAndTypes\n")
# How ClickHouse answers some of its errors; 500 for others.
STATUS = {48: 501, 60: 404, 62: 400, 81: 404, 516: 403}
CONFIGURATION = """<clickhouse>
<macros><replica>modern</replica></macros>
{keeper}
</clickhouse>
"""
KEEPER = "<zookeeper><node><host>{}</host><port>{}</port></node></zookeeper>"


class Refusal(Exception):
    """What is refused here, in the words of ClickHouse."""

    def __init__(self, code, text):
        super().__init__(f"Code: {code}. DB::Exception: {text}")


# Translation

MADE = re.compile(
    r"ENGINE = ReplicatedReplacingMergeTree\('/tributary/\w+/rows', '\{replica\}', version\)(\s[^;]*\sSETTINGS )"
    r"replicated_deduplication_window = (\d+), ")
SYNCED = re.compile(r"SYSTEM SYNC REPLICA (\w+\.rows)")
ASKED = re.compile(r"SELECT engine_full FROM system\.tables WHERE ")
UNKNOWN = re.compile(r"Replicated\w*MergeTree|SYNC REPLICA|FETCH PARTITION|ON CLUSTER")
ENGINE = (
    r"replaceOne(replaceRegexpOne(engine_full, 'non_replicated_deduplication_window = \\d+, ', ''), 'ReplacingMergeTree(version)', "
    r"concat('ReplicatedReplacingMergeTree(\'/tributary/', database, '/rows\', \'{replica}\', version)'))")


def translated(statement):
    """The statement for a table without replication. A table that is not replicated recognises repeated blocks as well when its
    own setting says so; it has nothing to wait for; and it is shown as what was asked for.
    """
    made = MADE.sub(
        r"ENGINE = ReplacingMergeTree(version)\1non_replicated_deduplication_window = \2, replicated_deduplication_window = \2, ", statement)
    if made != statement:
        return made
    if SYNCED.fullmatch(statement):
        return SYNCED.sub(r"SELECT 1 FROM \1 LIMIT 0", statement)
    if ASKED.match(statement):
        return ASKED.sub(lambda _: f"SELECT {ENGINE} FROM system.tables WHERE ", statement)
    if UNKNOWN.search(statement):
        raise Refusal(48, f"Tests/Cluster/modern_clickhouse.py has no translation of: {statement}")
    return statement


# Statements


class ClickHouse:
    """chdb with its data in a folder."""

    def __init__(self, folder, keeper):
        # The package itself wants pyarrow, for which there is no use here.
        package = importlib.util.find_spec("chdb")
        if package is None:
            sys.exit("chdb is not installed: scripts/bootstrap cluster")
        sys.path.insert(0, package.submodule_search_locations[0])
        import _chdb
        self.connect = _chdb.connect
        self.folder = folder
        self.is_translated = keeper is None
        configuration = folder / "configuration.xml"
        configuration.write_text(CONFIGURATION.format(keeper=KEEPER.format(*keeper.rsplit(":", 1)) if keeper else ""))
        self.address = f"{folder}/data?config-file={configuration}"
        # Without a session, chdb ends, and the next one starts it again.
        self.kept = self.connect(self.address)

    def run(self, statement, rows, settings, given):
        """Runs a statement in a session of its own, as a request over HTTP does."""
        if self.is_translated:
            statement = translated(statement)
        connection = self.connect(self.address)
        try:
            if given:
                connection.query(f"CREATE TEMPORARY TABLE given ({given[0]})")
                self.insert(connection, "INSERT INTO given SETTINGS async_insert = 0 FORMAT RowBinary", given[1])
            for name, value in settings.items():
                connection.query(f"SET {name} = {text(value)}")
            if rows is not None:
                return self.insert(connection, statement, rows)
            return connection.query(statement, "TabSeparated").bytes()
        finally:
            connection.close()

    def insert(self, connection, statement, rows):
        """Rows come in a file, because chdb takes an empty line in a statement for the end of the rows."""
        head, separator, form = statement.rpartition(" FORMAT ")
        if not separator or form not in ROWS:
            raise Refusal(48, f"Tests/Cluster/modern_clickhouse.py takes rows in the formats {ROWS} only: {statement}")
        head, separator, settings = head.partition(" SETTINGS ")
        with tempfile.NamedTemporaryFile(dir=self.folder) as file:
            file.write(rows)
            file.flush()
            return connection.query(f"{head} FROM INFILE {text(file.name)}{separator}{settings} FORMAT {form}").bytes()


def text(value):
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


# HTTP


class Handler(BaseHTTPRequestHandler):
    """One request to a connection."""

    timeout = 60

    def do_POST(self):
        note = {}
        try:
            answer, status = self.answered(note), 200
        except (Refusal, RuntimeError) as error:
            answer = str(error).encode()
            note["code"] = int(re.match(rb"Code: (\d+)", answer)[1])
            status = STATUS.get(note["code"], 500)
        with ONE_AT_A_TIME:
            sys.stdout.write(json.dumps(note) + "\n")
            sys.stdout.flush()
        self.send_response(status)
        if status != 200:
            self.send_header("X-ClickHouse-Exception-Code", str(note["code"]))
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def answered(self, note):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        parameters = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True, strict_parsing=True))
        settings = {name: value for name, value in parameters.items() if name not in OTHERS}
        note.update(settings=settings)
        self.authenticate()
        rows = given = None
        if self.headers.get("Content-Type", "").startswith("multipart/form-data"):
            given = self.given(parameters, body)
            statement = parameters["query"]
        elif "query" in parameters:
            statement, rows = parameters["query"], body
        elif head := BEFORE_ROWS.match(body):
            statement, rows = head[0].decode().rstrip("\n"), body[head.end():]
        else:
            statement = body.decode()
        note.update(statement=statement)
        with ONE_AT_A_TIME:
            return self.server.clickhouse.run(statement, rows, settings, given)

    def authenticate(self):
        user, key = self.headers.get("X-ClickHouse-User", "default"), self.headers.get("X-ClickHouse-Key", "")
        if (user, key) != ("default", self.server.password):
            raise Refusal(516, f"{user}: Authentication failed: password is incorrect, or there is no user with such name.")

    def given(self, parameters, body):
        """The temporary table of a request: its columns, and its rows from the one part of the body."""
        boundary = self.headers["Content-Type"].partition("boundary=")[2].encode()
        start, end = b"--" + boundary + b"\r\n", b"\r\n--" + boundary + b"--\r\n"
        head, separator, rows = body.partition(b"\r\n\r\n")
        is_whole = bool(boundary and separator) and head.startswith(start) and rows.endswith(end)
        if not is_whole or b'name="given"' not in head or parameters.get("given_format") != "RowBinary":
            raise Refusal(36, "the request has no table `given`")
        return parameters["given_structure"], rows[:-len(end)]

    def log_message(self, *_):
        pass


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--port", type=int, required=True)
    arguments.add_argument("--folder", type=Path, required=True)
    arguments.add_argument("--password", default="")
    arguments.add_argument("--keeper")
    arguments = arguments.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    clickhouse = ClickHouse(arguments.folder.resolve(), arguments.keeper)
    server = ThreadingHTTPServer(("127.0.0.1", arguments.port), Handler)
    server.clickhouse, server.password = clickhouse, arguments.password
    server.serve_forever()


if __name__ == "__main__":
    main()
