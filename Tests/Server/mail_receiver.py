"""A mail server (aiosmtpd) for tests. It writes what it takes as lines of JSON; its folder has a certificate.

    python mail_receiver.py FOLDER starttls|tls|none [LOGIN] [ANSWER]

scripts/bootstrap mail installs aiosmtpd below .build-tools. LOGIN is "user:password"; ANSWER is the reply to each address,
such as "550 unknown".
"""

import asyncio
import json
import ssl
import sys
from pathlib import Path

from aiosmtpd.smtp import SMTP, AuthResult


class Handler:
    def __init__(self, answer):
        self.answer = answer

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.answer:
            return self.answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        print(json.dumps({
            "from": envelope.mail_from, "to": envelope.rcpt_tos, "text": envelope.content.decode("ascii"),
            "encrypted": server.transport.get_extra_info("ssl_object") is not None, "login": session.auth_data}), flush=True)
        return "250 taken as 1"


async def main(folder, security, login="", answer=""):
    context = None
    if security != "none":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(Path(folder, "certificate.pem"), Path(folder, "key.pem"))

    def authenticate(server, session, envelope, mechanism, data):
        name = f"{data.login.decode()}:{data.password.decode()}"
        # The server answers, and not this function.
        return AuthResult(success=name == login, handled=False, auth_data=data.login.decode())

    def protocol():
        return SMTP(
            Handler(answer), hostname="mail.example.com", tls_context=context if security == "starttls" else None,
            require_starttls=security == "starttls", authenticator=authenticate if login else None, auth_required=bool(login),
            auth_require_tls=security == "starttls")

    server = await asyncio.get_running_loop().create_server(
        protocol, "127.0.0.1", 0, ssl=context if security == "tls" else None)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
