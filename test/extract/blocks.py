"""Prints the literal blocks of a document in reStructuredText that have no language or one of a shell."""
import json
import sys

import docutils.core
import docutils.nodes

document = docutils.core.publish_doctree(sys.stdin.read())
languages = {"sh", "bash", "shell", "console"}
print(json.dumps([
    block.astext() for block in document.findall(docutils.nodes.literal_block)
    if "code" not in block["classes"] or languages & set(block["classes"])
]))
