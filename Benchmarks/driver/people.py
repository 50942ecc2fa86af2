"""Events of many people for a workspace, and who sends them."""

import http.client
import os
import random
import threading
import time

EVENTS_IN_REQUEST = 50
SENDERS = 4
KEY = "WK"
HEADERS = {"Content-Type": "application/json"}
FILLER = "lorem ipsum dolor sit amet " * 20


class People:
    """Users with a device each, who do things in no order; one event has about a kilobyte."""

    def __init__(self, count, seed, names=40):
        self.names = names
        self.random = random.Random(seed)
        self.users = [f"user-{number:07d}@example.com" for number in range(count)]
        self.devices = [f"{self.random.getrandbits(64):016x}-{number:07d}" for number in range(count)]

    def request(self, count):
        return ('{"batch":[' + ",".join(self.event() for _ in range(count)) + f'],"writeKey":"{KEY}"}}').encode()

    def event(self):
        person = self.random.randrange(len(self.users))
        kind = self.random.random()
        if kind < 0.8:
            what = f'"type":"track","event":"Event {self.random.randrange(self.names)}"'
        elif kind < 0.95:
            what = f'"type":"screen","name":"Screen {self.random.randrange(20)}"'
        else:
            what = '"type":"identify"'
        # Before somebody logs in, there is only the device.
        user = f',"userId":"{self.users[person]}"' if self.random.random() < 0.9 else ""
        return (
            f'{{{what}{user},"anonymousId":"{self.devices[person]}","messageId":"{os.urandom(16).hex()}",'
            '"context":{"library":{"name":"tributary","version":"0.1.0"},"os":{"name":"Linux","version":"6.1"},'
            '"device":{"type":"server"},"locale":"en-US","timezone":"Europe/Berlin"},"properties":{"total":42.5,'
            f'"currency":"EUR","products":[{{"sku":"a-1","price":10.25,"quantity":2}}],"note":"{FILLER}"}}}}')


class Sending:
    """Sends a number of events over some connections; who is asked to send later does so."""

    def __init__(self, address, people, count):
        self.address, self.people, self.left = address, people, count
        self.lock = threading.Lock()
        self.seconds = []
        self.failure = None

    def run(self):
        threads = [threading.Thread(target=self._send_all) for _ in range(SENDERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.failure:
            raise self.failure

    def percentile(self, part):
        """Milliseconds within which that part of the requests was answered."""
        return sorted(self.seconds)[int((len(self.seconds) - 1) * part)] * 1000

    def _take(self):
        with self.lock:
            count = min(EVENTS_IN_REQUEST, self.left) if self.failure is None else 0
            self.left -= count
            return self.people.request(count) if count else None

    def _send_all(self):
        connection = http.client.HTTPConnection(self.address, timeout=60)
        try:
            while (body := self._take()) is not None:
                while not self._send(connection, body):
                    time.sleep(0.1)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.failure = error
        finally:
            connection.close()

    def _send(self, connection, body):
        before = time.monotonic()
        connection.request("POST", "/v1/b", body, HEADERS)
        answer = connection.getresponse()
        answer.read()
        if answer.status not in (200, 429):
            raise ValueError(f"a batch was answered with {answer.status}")
        self.seconds.append(time.monotonic() - before)
        return answer.status == 200
