"""Puts results into a document, between two lines that say where."""

from promise import number

BEGIN = "<!-- results: written by scripts/bench --record -->"
END = "<!-- end of results -->"


def table(results, machine, size):
    lines = [
        f"Measured {machine['time'][:10]} with `scripts/bench{' --quick' if size == 'quick' else ''}` on"
        f" {machine['cores']} cores ({machine['processor']}), load average {machine['load']:.1f}.",
        "",
        "| promise | what | goal | measured | floor | ratio | met |",
        "|---|---|---|---|---|---|---|",
    ]
    for result in results:
        promise, measured = result.promise, result.measurement
        value = f"{number(measured.value)} {promise.unit}" if measured else "-"
        # A run in which a machine was too busy to judge is not recorded.
        met = "yes" if result.is_met else "**no**"
        if result.remark:
            met += f": {result.remark[:80]}"
        lines.append(
            f"| `{promise.name}` | {promise.text} | {promise.goal.text(measured)} | {value}"
            f" | {number(measured.floor if measured else None)} | {number(measured.ratio if measured else None)}"
            f" | {met} |")
    return "\n".join(lines)


def replace(document, text):
    """The document with this text in the place of what stood between the two lines."""
    begin, end = document.find(BEGIN), document.find(END)
    if begin < 0 or end < begin:
        raise ValueError(f"the document has no lines {BEGIN} and {END}")
    return f"{document[:begin]}{BEGIN}\n{text}\n{document[end:]}"
