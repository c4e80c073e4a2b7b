# SPDX-License-Identifier: Apache-2.0
"""Who may read and who may change something: key, host and origin of a request."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Mapping

KEY_HEADER = "X-Lbm-Key"
_HOSTS = ("127.0.0.1", "localhost")
_TICKET_SECONDS = 60.0
_MOST_TICKETS = 100

# The page runs its own scripts alone, loads nothing from elsewhere, and stands in no frame.
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A report has styles and pictures of its own, and runs nothing.
REPORT_POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; sandbox"
)


def known_host(host: str | None) -> bool:
    """True if the host of a request is this machine. The port may be that of a tunnel.

    A page of another site can give its own name the address 127.0.0.1 (DNS rebinding); the browser
    then sends that name.
    """
    name, colon, port = (host or "").partition(":")
    return name in _HOSTS and (not colon or (port.isdecimal() and len(port) <= 5))


def own_origin(headers: Mapping[str, str]) -> bool:
    """True if the page of this server sent the request; every change requires this."""
    return headers.get("Origin") == f"http://{headers.get('Host')}"


class Access:
    """The key of a server, new at each start, and tickets that open one page once."""

    def __init__(self) -> None:
        self.key = secrets.token_urlsafe(24)
        self._tickets: dict[str, tuple[str, float]] = {}
        self._lock = threading.Lock()

    def has_key(self, headers: Mapping[str, str]) -> bool:
        """True if a request has the key."""
        given = headers.get(KEY_HEADER) or ""
        return hmac.compare_digest(given.encode(), self.key.encode())

    def ticket(self, what: str) -> str:
        """A ticket for a page that the browser opens by its address, which would show the key."""
        ticket, now = secrets.token_urlsafe(24), time.monotonic()
        with self._lock:
            fresh = {k: v for k, v in self._tickets.items() if v[1] > now}
            self._tickets = dict(list(fresh.items())[-_MOST_TICKETS + 1 :])
            self._tickets[ticket] = (what, now + _TICKET_SECONDS)
        return ticket

    def redeem(self, ticket: str) -> str | None:
        """The `what` of a ticket; None if the ticket is unknown, old or used."""
        with self._lock:
            what, until = self._tickets.pop(ticket, ("", 0.0))
        return what if until > time.monotonic() else None
