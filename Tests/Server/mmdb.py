"""Writes small databases in MaxMind's format, for tests."""

import ipaddress

MARKER = b"\xab\xcd\xefMaxMind.com"


# The numbers of the description, with the kinds that other readers ask for: of 16, 32 and 64 bits.
KINDS = {
    "node_count": 6, "record_size": 5, "ip_version": 5, "binary_format_major_version": 5,
    "binary_format_minor_version": 5, "build_epoch": 9,
}


def encoded(value, kind=6):
    """A value of the data section: texts, numbers, maps and lists."""
    match value:
        case str():
            return head(2, len(value.encode())) + value.encode()
        case bool():
            return head(14, int(value))
        case int():
            size = (value.bit_length() + 7) // 8
            return head(kind, size) + value.to_bytes(size, "big")
        case dict():
            return head(7, len(value)) + b"".join(
                encoded(key) + encoded(each, KINDS.get(key, 6)) for key, each in value.items())
        case list():
            return head(11, len(value)) + b"".join(encoded(each) for each in value)
    raise TypeError(type(value))


def head(kind, size):
    """The beginning of a value: its kind, and its size in one of four forms."""
    for code, first, count in ((29, 29, 1), (30, 285, 2), (31, 65_821, 3)):
        if first <= size < first + 256 ** count:
            rest = (size - first).to_bytes(count, "big")
            break
    else:
        code, rest = size, b""
    if kind > 7:
        return bytes([code, kind - 7]) + rest
    return bytes([kind << 5 | code]) + rest


class Tree:
    """Two records for each node: None, a node, or the place of a value."""

    def __init__(self, version):
        self.version = version
        self.nodes = [[None, None]]

    def add(self, network, place):
        network = ipaddress.ip_network(network)
        bits = f"{int(network.network_address):0{network.max_prefixlen}b}"[:network.prefixlen]
        if network.version == 4 and self.version == 6:
            bits = "0" * 96 + bits
        node = 0
        for bit in map(int, bits[:-1]):
            below = self.nodes[node][bit]
            if not isinstance(below, int):
                # A larger network goes on in what is not said otherwise.
                self.nodes.append([below, below])
                below = self.nodes[node][bit] = len(self.nodes) - 1
            node = below
        self.nodes[node][int(bits[-1])] = ("data", place)

    def bytes(self, record_bits):
        def number(record):
            if record is None:
                return len(self.nodes)
            return record if isinstance(record, int) else len(self.nodes) + 16 + record[1]

        text = b""
        for left, right in ((number(left), number(right)) for left, right in self.nodes):
            if record_bits == 28:
                middle = (left >> 24) << 4 | right >> 24
                text += (left & 0xFFFFFF).to_bytes(3, "big") + bytes([middle]) + (right & 0xFFFFFF).to_bytes(3, "big")
            else:
                text += left.to_bytes(record_bits // 8, "big") + right.to_bytes(record_bits // 8, "big")
        return text


def country(code):
    """A record as MaxMind's databases of countries have it."""
    return {
        "continent": {"code": "EU", "geoname_id": 6255148, "names": {"en": "Europe", "de": "Europa"}},
        "country": {"geoname_id": 2921044, "is_in_european_union": True, "iso_code": code, "names": {"en": code * 20}},
        "registered_country": {"iso_code": "ZZ"},
    }


def database(networks, version=6, record_bits=28, built=1_795_000_000, kind="Test-Country", **description):
    """The bytes of a database.

    networks: each network with its value; larger ones before those in them.
    """
    tree, data = Tree(version), b""
    for network, value in networks.items():
        tree.add(network, len(data))
        data += encoded(value)
    said = {
        "node_count": len(tree.nodes), "record_size": record_bits, "ip_version": version, "database_type": kind,
        "languages": ["en"], "binary_format_major_version": 2, "binary_format_minor_version": 0,
        "build_epoch": built, "description": {"en": "made by a test"},
    } | description
    return tree.bytes(record_bits) + bytes(16) + data + MARKER + encoded(said)


def countries(networks, **options):
    """A database of countries: each network with its code."""
    return database({network: country(code) for network, code in networks.items()}, **options)
