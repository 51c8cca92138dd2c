// Reads YAML documents with the parsers for Node.js and reports the result of each.
// The input and output formats are those of read.py.

import { createInterface } from 'node:readline'
import * as jsyaml from 'js-yaml'
import jsyaml3 from 'js-yaml-3'
import jsyaml4 from 'js-yaml-4'
import * as yaml from 'yaml'
import yaml1 from 'yaml-1'

// js-yaml 5 reads 100 levels by default.
const maxDepth = 1000
// Parsers that support it return Maps, which preserve the order of the keys and
// keys that are not strings.
const js5 = (schema) => (text) => jsyaml.load(text, { maxDepth, schema: schema.withTags(jsyaml.realMapTag) })
const eemeli = (version) => (text) => yaml.parse(text, { version, mapAsMap: true })
// yaml 1 treats even a quoted "<<" as a merge key unless merging is disabled.
const eemeli1 = (version) => (text) => yaml1.parse(text, { version, mapAsMap: true, merge: false })

const readers = [
  { name: 'js-yaml 5', order: true, read: js5(jsyaml.CORE_SCHEMA) },
  { name: 'js-yaml 5 as 1.1', order: true, read: js5(jsyaml.YAML11_SCHEMA) },
  { name: 'js-yaml 5 to objects', read: (text) => jsyaml.load(text, { maxDepth }) },
  { name: 'js-yaml 4', read: (text) => jsyaml4.load(text) },
  { name: 'js-yaml 3', read: (text) => jsyaml3.safeLoad(text) },
  { name: 'yaml 2', order: true, read: eemeli('1.2') },
  { name: 'yaml 2 as 1.1', order: true, read: eemeli('1.1') },
  { name: 'yaml 1', order: true, read: eemeli1('1.2') },
  { name: 'yaml 1 as 1.1', order: true, read: eemeli1('1.1') },
]

class NoJSON extends Error {}

function write(value) {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value)
    case 'number':
      if (!Number.isFinite(value)) throw new NoJSON(String(value))
      return JSON.stringify(value)
    case 'bigint':
      return String(value)
    case 'object':
      if (value === null) return 'null'
      if (Array.isArray(value)) return '[' + value.map(write).join(',') + ']'
      if (value instanceof Map) return '{' + [...value].map(member).join(',') + '}'
      if ([Object.prototype, null].includes(Object.getPrototypeOf(value)))
        return '{' + Object.entries(value).map(member).join(',') + '}'
  }
  throw new NoJSON(Object.prototype.toString.call(value))
}

function member([key, value]) {
  if (typeof key !== 'string') throw new NoJSON('key ' + String(key))
  return JSON.stringify(key) + ':' + write(value)
}

function see(read, text) {
  try {
    return write(read(text))
  } catch (problem) {
    return '! ' + String(problem).slice(0, 500)
  }
}

const out = [JSON.stringify({ readers })]
for await (const line of createInterface({ input: process.stdin })) {
  const document = JSON.parse(line)
  let last
  const saw = readers.map(({ read }) => {
    const text = see(read, document.yaml)
    const shown = text === last ? '' : text
    last = text
    return shown
  })
  out.push(JSON.stringify({ id: document.id, saw }))
}
process.stdout.write(out.join('\n') + '\n')
