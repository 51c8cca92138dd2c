// Prints the code blocks of a document, Markdown or AsciiDoc, that have no language or one of a shell.
import {readFileSync} from 'node:fs';
import {Parser} from 'commonmark';
import asciidoctor from 'asciidoctor';

const text = readFileSync(0, 'utf8');
const shell = /^(|text|sh|bash|shell|zsh|console)$/;
const blocks = [];
if (process.argv[2] === 'markdown') {
  const walker = new Parser().parse(text).walker();
  for (let event = walker.next(); event; event = walker.next()) {
    if (event.node.type === 'code_block' && event.entering && shell.test((event.node.info ?? '').split(' ')[0])) {
      blocks.push(event.node.literal);
    }
  }
} else {
  const blocksOf = asciidoctor().load(text).findBy(b => b.getContext() === 'listing' || b.getContext() === 'literal');
  for (const block of blocksOf) {
    if (!shell.test(block.getAttribute('language') ?? '')) continue;
    let source = block.getSource();
    if (block.getSubstitutions().includes('attributes')) source = block.applySubstitutions(source, ['attributes']);
    blocks.push(source.replace(/ +(# )?<\d+>$/gm, ''));
  }
}
console.log(JSON.stringify(blocks));
