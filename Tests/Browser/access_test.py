"""Readers with limits, and people who log in with a provider of OpenID Connect, in a real browser.

    /usr/bin/python3 -m unittest -v Tests/Browser/access_test.py

The provider is oidc-provider-mock, which others wrote. It is fetched once into a folder of its own.
"""

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import KEY, PATIENCE, REPOSITORY, TOKEN, BrowserTest, track  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402

PACKAGES = REPOSITORY / ".build-python-oidc"
PROVIDER = "oidc-provider-mock==0.3.4"
ANNA = {"sub": "anna", "name": "Anna Example", "email": "anna@example.com", "email_verified": True, "groups": ["ops"]}
BEN = {"sub": "ben", "name": "Ben Example", "email": "ben@example.com", "email_verified": False, "groups": ["analysts"]}
EVA = {"sub": "eva", "name": "Eva Example", "groups": ["others"]}


def install_provider():
    """Why it is not there; nothing when it is."""
    if (PACKAGES / "oidc_provider_mock").exists():
        return None
    run = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(PACKAGES), PROVIDER],
        capture_output=True, text=True)
    return None if run.returncode == 0 else f"{PROVIDER} cannot be installed: {run.stderr.strip()[-200:]}"


MISSING = install_provider()


class Provider:
    """The process of the provider."""

    def __init__(self, port=None):
        with socket.socket() as free:
            free.bind(("127.0.0.1", port or 0))
            self.port = free.getsockname()[1]
        users = [part for user in (ANNA, BEN, EVA) for part in ("--user-claims", json.dumps(user))]
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", str(self.port), *users],
            env=os.environ | {"PYTHONPATH": str(PACKAGES)}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        # It says on which port it listens, once it does.
        for line in self.process.stderr:
            if "running on" in line.lower():
                break

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()


def request(url, method="GET", headers=None, body=None):
    """An answer without following where it leads: its status, headers and text."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
    try:
        connection.request(method, f"{parts.path}?{parts.query}", body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


class AccessTest(BrowserTest):
    def provider(self, port=None):
        provider = Provider(port)
        self.addCleanup(provider.stop)
        return provider

    def workspace_of(self, provider, *roles):
        folder = tempfile.TemporaryDirectory(prefix="tributary-oidc-")
        self.addCleanup(folder.cleanup)
        secret = Path(folder.name) / "secret"
        secret.write_text("a-secret-of-the-tests\n")
        options = ["--oidc-issuer", provider.url, "--oidc-client", "tributary", "--oidc-client-secret-file", str(secret),
                   "--oidc-name", "Example"]
        return self.workspace(options=[*options, *(part for role in roles for part in ("--oidc-role", role))])

    def log_in_as(self, name):
        # The pages of the provider want a style sheet and an icon that are not there.
        self.allowed_errors += ["pico.min.css", "/favicon.ico"]
        self.element("#openid").click()
        self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, f"button[value={name}]"), "the provider asks who it is")
        self.element(f"button[value={name}]").click()

    # OpenID Connect

    @unittest.skipIf(MISSING, MISSING)
    def test_a_person_logs_in_with_the_provider_and_comes_to_the_place_of_the_address(self):
        workspace = self.workspace_of(self.provider(), "anna@example.com=administer", "analysts=look")
        self.browser.get(workspace.address + f"/audit?source={KEY}")
        self.wait(lambda: "/login" in self.browser.current_url, "a stranger is sent to the login")
        self.assertEqual(self.element("#openid").text, "Log in with Example")
        self.log_in_as("anna")
        self.wait(lambda: self.browser.current_url.endswith(f"/audit?source={KEY}"), "the place is shown")
        self.wait(lambda: self.element("#who").text == "Anna Example <anna@example.com> · admin", "the person is named")
        self.browser.execute_script("document.querySelector('.account form button').click()")
        self.wait(lambda: self.browser.current_url.endswith("/login"), "logging out leads to the login")
        self.browser.get(workspace.address + "/audit")
        self.wait(lambda: "/login" in self.browser.current_url, "the login is over")

    @unittest.skipIf(MISSING, MISSING)
    def test_a_reader_by_group_may_look_and_one_without_a_role_is_told_so(self):
        workspace = self.workspace_of(self.provider(), "ben@example.com=administer", "analysts=look")
        self.browser.get(workspace.address + "/login")
        self.log_in_as("ben")
        # The provider has not checked the mail address, so its rule does not count.
        self.wait(lambda: self.element("#who").text == "Ben Example <ben> · reader", "the group counts")
        self.browser.delete_all_cookies()
        self.browser.get(workspace.address + "/login")
        self.allowed_errors.append("403")
        self.log_in_as("eva")
        self.wait(lambda: "Eva Example <eva> has no role" in self.element("#problem").text, "the page says why")

    @unittest.skipIf(MISSING, MISSING)
    def test_a_login_survives_a_restart_and_a_provider_that_is_away_leaves_the_tokens(self):
        provider = self.provider()
        workspace = self.workspace_of(provider, "ops=deploy")
        self.browser.get(workspace.address + "/login")
        self.log_in_as("anna")
        self.wait(lambda: "· deployer" in self.element("#who").text, "the person is logged in")
        provider.stop()
        self.allowed_errors.append("ERR_CONNECTION_REFUSED")
        workspace.restart()
        self.browser.get(workspace.address + "/sources")
        self.wait(lambda: "· deployer" in self.element("#who").text, "the person is still logged in")
        self.browser.delete_all_cookies()
        self.browser.get(workspace.address + "/login")
        self.allowed_errors.append("502")
        self.element("#openid").click()
        self.wait(lambda: "cannot be used now" in self.element("#problem").text, "the page says that the provider is away")
        self.browser.get(f"{workspace.address}/login#{TOKEN}")
        self.wait(lambda: "Admin token" in self.element("#who").text, "a token logs in")

    @unittest.skipIf(MISSING, MISSING)
    def test_a_code_is_good_for_one_login_in_the_browser_that_began_it(self):
        provider = self.provider()
        workspace = self.workspace_of(provider, "ops=look")

        def begin():
            status, headers, _ = request(workspace.address + "/login/oidc")
            self.assertEqual(status, 302)
            query = parse_qs(urlsplit(headers["Location"]).query)
            self.assertEqual(query["code_challenge_method"], ["S256"])
            status, answer, _ = request(
                headers["Location"], "POST", {"Content-Type": "application/x-www-form-urlencoded"}, "sub=anna")
            self.assertEqual(status, 302)
            return headers["Set-Cookie"].split(";")[0], answer["Location"]

        cookie, back = begin()
        other, _ = begin()
        for wrong in ({}, {"Cookie": other}):
            status, headers, _ = request(back, headers=wrong)
            self.assertEqual(status, 401)
            self.assertNotIn("tributary-session", str(headers.get_all("Set-Cookie")))
        status, headers, _ = request(back, headers={"Cookie": cookie})
        self.assertEqual(status, 200)
        session = [each for each in headers.get_all("Set-Cookie") if "tributary-session" in each]
        self.assertEqual(len(session), 1)
        for part in ("HttpOnly", "SameSite=Strict"):
            self.assertIn(part, session[0])
        status, headers, _ = request(back, headers={"Cookie": cookie})
        self.assertEqual(status, 401, "the provider takes a code once")

    # Limits of tokens

    def token(self, workspace, **limits):
        return workspace.send("POST", "/api/tokens", {"name": "limited", "role": "look"} | limits)["token"]

    def links(self):
        return [link.get_attribute("textContent") for link in self.browser.find_elements(By.CSS_SELECTOR, "#groups a")]

    def test_a_token_with_limits_is_made_in_the_place_access_and_its_end_is_shown(self):
        workspace = self.workspace(keys=(KEY, "other"))
        self.open(workspace)
        self.browser.get(workspace.address + "/access")
        self.wait(lambda: self.browser.find_elements(By.ID, "token-name"), "the form is there")
        self.element("#token-name").send_keys("Partner")
        self.element(f"#token-sources option[value={KEY}]").click()
        self.browser.execute_script("document.getElementById('token-end').value = '2999-12-31'")
        self.element("#token-hides").click()
        self.element("main form button[type=submit]").click()
        self.wait(lambda: self.browser.find_elements(By.CSS_SELECTOR, "dialog[open]"), "the token is shown")
        [token] = workspace.get("/api/tokens")["tokens"]
        self.assertEqual(
            [token["sources"], token["personalData"], token["endsAt"]], [[KEY], "hidden", "3000-01-01T00:00:00.000Z"])
        row = self.element("main table tbody tr").text
        self.assertIn("no personal data", row)
        self.assertIn("3000", row)

    def test_a_reader_of_one_source_sees_no_other_one_and_no_place_for_all(self):
        workspace = self.workspace(keys=(KEY, "other"))
        workspace.post(track("Mine"))
        workspace.post(track("Theirs"), key="other")
        workspace.settle()
        token = self.token(workspace, sources=[KEY])
        self.browser.get(f"{workspace.address}/login#{token}")
        self.wait(lambda: self.state() == "live", "the page is live")
        self.wait(lambda: any("Mine" in row for row in self.rows()), "the own event is there")
        workspace.post(track("Theirs again"), key="other")
        workspace.post(track("Mine again"))
        self.wait(lambda: any("Mine again" in row for row in self.rows()), "a new event comes")
        self.assertFalse(any("Theirs" in row for row in self.rows()))
        self.wait(lambda: "Access" not in self.links() and "Sources" in self.links(), "places for all are left out")
        for place in ("sources", "people", "problems", "catalog", "destinations", "board", "explore", "audit"):
            self.browser.get(f"{workspace.address}/{place}?source={KEY}")
            self.wait(lambda: self.element("#place").text, f"{place} is shown")
            self.assertNotIn("cannot be shown", self.element("#place").text, place)
            self.assertNotIn("other", self.element("#place").text.split(), place)
        self.browser.get(f"{workspace.address}/catalog?source=other")
        self.wait(lambda: "There is no source “other”" in self.element("#place").text, "the other one is not there")

    def test_a_reader_without_personal_data_sees_digests_and_no_people(self):
        workspace = self.workspace()
        workspace.post(
            track("Order", total=5, email="anna@example.com") | {"userId": "anna@example.com", "context": {"ip": "10.9.8.7"}})
        workspace.settle()
        token = self.token(workspace, personalData="hidden")
        self.allowed_errors.append("403")
        self.browser.get(f"{workspace.address}/login#{token}")
        self.wait(lambda: self.state() == "live", "the page is live")
        self.wait(lambda: any("Order" in row for row in self.rows()), "the event is there")
        self.wait(lambda: self.links() == ["Events", "Catalog", "Explore", "Board"], "only these places have no people")
        self.assertNotIn("anna", self.browser.page_source)
        for place in ("catalog", "explore", "board"):
            self.browser.get(f"{workspace.address}/{place}?source={KEY}")
            self.wait(lambda: self.element("#place").text, f"{place} is shown")
            self.assertNotIn("cannot be shown", self.element("#place").text, place)
            self.assertNotIn("anna", self.browser.page_source)


if __name__ == "__main__":
    unittest.main()
