"""Makes each request of schemathesis one of another client, behind a proxy that the server trusts: it guesses tokens, and
a server slows who does."""

import itertools

import schemathesis

numbers = itertools.count(1)


@schemathesis.hook
def before_call(context, case, kwargs):
    number = next(numbers)
    case.headers = dict(case.headers or {})
    case.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


@schemathesis.serializer("application/sql")
def sql(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
