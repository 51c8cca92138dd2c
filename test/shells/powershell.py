# Fails if standard input is not PowerShell by the grammar of tree-sitter.
import sys

import tree_sitter
import tree_sitter_powershell

language = tree_sitter.Language(tree_sitter_powershell.language())
sys.exit(tree_sitter.Parser(language).parse(sys.stdin.buffer.read()).root_node.has_error)
