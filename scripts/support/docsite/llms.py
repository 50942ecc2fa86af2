"""llms.txt, an index of the documentation for language models in the form of https://llmstxt.org."""

import navigation
import prose

# What a reader with little room may leave out.
OPTIONAL = "Decisions"


def line(name, target, sentence):
    return f"- [{name}]({target})" + (f": {sentence}" if sentence else "")


def index(documents, modules):
    """The text. `modules` has a sentence for each module; its public declarations are in a file of text."""
    readme = documents.texts["README.md"]
    parts = [f"# {prose.title(readme)}", f"> {prose.first_sentence(readme)}"]
    for tab in navigation.NAVIGATION:
        listed = [name for other, _, names in documents.groups if other == tab for name in names]
        lines = [line(prose.title(text), navigation.place(name), prose.first_sentence(text))
                 for name in listed for text in [documents.texts[name]]]
        if tab == "Reference":
            lines += [line(f"Public declarations of {name}", f"reference/{name}.txt", sentence) for name, sentence in modules]
        parts += [f"## {'Optional' if tab == OPTIONAL else tab}", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"
