"""The way of a person through the console, for tests: each click and each text that is typed is counted.

A control is found by the words that the person reads, or that a screen reader says. A choice in a list counts as two clicks,
because one opens the list. A link to another place, after the first click, is a dead end: the page before had no link onward.
"""

from selenium.common.exceptions import (
    ElementClickInterceptedException, ElementNotInteractableException, NoSuchElementException, StaleElementReferenceException)
from selenium.webdriver.support.ui import Select

# Controls in sight with some words. An open dialog covers all others.
CONTROLS = """
const [kinds, words, isWhole, beside] = arguments;
const root = document.querySelector('dialog[open]') ?? document;
const namesOf = (one) => [one.textContent, one.getAttribute('aria-label')].filter(Boolean).map((text) => text.trim());
const isNamed = (one) => namesOf(one).some((text) => (isWhole ? text === words : text.includes(words)));
const isBeside = (one) => !beside || one.closest('tr, li, article, .part, section')?.textContent.includes(beside);
return [...root.querySelectorAll(kinds)].filter((one) => one.getClientRects().length && !one.disabled && isNamed(one) && isBeside(one));
"""
# Fields in sight with a label.
FIELDS = """
const [label] = arguments;
const root = document.querySelector('dialog[open]') ?? document;
const namesOf = (one) => [one.getAttribute('aria-label'), ...[...(one.labels ?? [])].flatMap((text) =>
  [text.querySelector('.field-name')?.textContent, text.textContent])].filter(Boolean).map((text) => text.trim());
return [...root.querySelectorAll('input, select, textarea')].filter((one) => one.getClientRects().length && !one.disabled
  && namesOf(one).includes(label));
"""
# It is not there yet, something covers it, or the place is drawn again.
Hindrances = (AttributeError, ElementClickInterceptedException, ElementNotInteractableException, NoSuchElementException,
              StaleElementReferenceException)
PRESSABLE = "a[href], button, summary, [role=tab], [role=option]"


class Walk:
    """One person who does one thing. `test` has the browser, and waits for conditions."""

    def __init__(self, test):
        self.test = test
        self.browser = test.browser
        self.clicks, self.typed, self.dead_ends, self.steps = 0, 0, 0, []

    # Clicks

    def place(self, name):
        """Follows a link to a place."""
        if self.clicks:
            self.dead_ends += 1
        self.click(lambda: self.found(CONTROLS, "nav a", name, True, None), f"the place {name}")

    def press(self, words, beside=None, part=False):
        """Presses a link, a button or a tab. `beside` is a text of the same row or part, and with `part` the words may be a part of
        what the control says."""
        self.click(lambda: self.found(CONTROLS, PRESSABLE, words, not part, beside), words)

    def open_event(self, name):
        """Opens an event of the list."""
        self.click(lambda: self.found(CONTROLS, ".item:not([hidden]) .name", name, True, None), f"the event {name}")
        self.test.away()

    def tick(self, label):
        self.click(lambda: self.found(FIELDS, label), label)

    def choose(self, label, option):
        """Chooses in a list: one click opens it, and one chooses."""
        self.do(lambda: Select(self.found(FIELDS, label)).select_by_visible_text(option) or True, f"{label}: {option}")
        self.clicks += 2

    def mark(self, label, option):
        """Marks an entry of a list that shows several."""
        self.do(lambda: Select(self.found(FIELDS, label)).select_by_visible_text(option) or True, f"{label}: {option}")
        self.clicks += 1

    def click(self, find, words):
        def press():
            control = find()
            if control is None:
                return False
            self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", control)
            control.click()
            return True
        self.do(press, words)
        self.clicks += 1

    # Texts

    def type(self, label, text):
        """Writes into a field, in place of what is there."""
        def write():
            field = self.found(FIELDS, label)
            if field.get_attribute("type") != "date":
                field.clear()
            field.send_keys(text)
            return True
        self.do(write, f"{label}: {text}")
        self.typed += 1

    # All

    def found(self, script, *arguments):
        found = self.browser.execute_script(script, *arguments)
        return found[0] if found else None

    def do(self, act, words):
        """Does something as soon as it can be done."""
        def attempt():
            try:
                return act()
            except Hindrances:
                return False
        self.test.wait(attempt, f"“{words}” can be reached after {self.steps}")
        self.steps.append(words)

    def took(self, clicks, typed=0):
        """The most that it may have taken, without a dead end."""
        said = f"{self.clicks} clicks, {self.typed} texts and {self.dead_ends} dead ends: {self.steps}"
        self.test.assertLessEqual(self.clicks, clicks, said)
        self.test.assertLessEqual(self.typed, typed, said)
        self.test.assertEqual(self.dead_ends, 0, said)
