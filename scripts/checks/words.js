// `npm run check`: words of the last column of docs/glossary.md do not come back in names and comments, as far as the word
// alone tells. Strings are left out: they may hold the words of other programs.
import { fileURLToPath } from 'node:url'
import { readSources } from './sources.js'

/** Avoided in names and comments, each with the word to use. */
const avoided = new Map([
  ['flight', 'pipelined batch'],
  ['landing', 'batch result'],
  ['quickness', 'latency estimate'],
  ['salvage', 'poison-row isolation'],
  ['sighting', 'observation'],
  ['learnt', 'inferred'],
  ['keeper', 'loader'],
  ['verbatim', 'raw JSON'],
  ['underway', 'in flight'],
  ['mend', 'hint'],
])

/** Plain English in a comment, and avoided in names. */
const avoidedInNames = new Map([...avoided, ['told', 'a noun: the message, the fields']])

/** Avoided in comments, where a noun says more. */
const pronouns = new Set(['whoever', 'whomever', 'whom', 'somebody', 'nobody'])

/** Docstrings that begin so say nothing by themselves. */
const beginning = /^\/\*\*[\s*]*(?:The same\b|Makes (?:it|them)\b|Answers\.)/

/** Terms of the field and of other programs that contain one of the words. */
const terms = /\b(?:(?:in|single)[ -]flights?|keeper exception|verbatim symlinks)\b/gi

/** The findings of a source file: `{ line, message }`. */
export function findingsIn(text) {
  return tokensOf(text).flatMap(({ name, comment, line }) => {
    const messages = comment === undefined ? inName(name) : inComment(comment)
    return messages.map((message) => ({ line, message }))
  })
}

const inName = (name) => instead(wordsOf(name), avoidedInNames).map((message) => `${name}: ${message}`)

function inComment(comment) {
  const words = wordsOf(comment.replaceAll(/`[^`]*`/g, ''))
  return [
    ...instead(words, avoided),
    ...words.filter((word) => pronouns.has(word)).map((word) => `“${word}”: name who it is`),
    ...(beginning.test(comment) ? ['the beginning of the docstring says nothing by itself'] : []),
  ]
}

/** A message for each word that `list` has, in the singular or the plural. */
const instead = (words, list) =>
  words.flatMap((word) => {
    const found = [word, word.replace(/s$/, '')].find((form) => list.has(form))
    return found === undefined ? [] : [`“${found}” is “${list.get(found)}” here`]
  })

/** The words of a text in lower case; `sendBatch` and `SEND_BATCH` are two each. */
const wordsOf = (text) => {
  const spaced = text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return spaced.replaceAll(terms, '').match(/[a-z]+/g) ?? []
}

const string = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/
const token = new RegExp(`${string.source}|(?<comment>//.*|/\\*[^]*?\\*/)|(?<name>[A-Za-z_$][\\w$]*)`, 'g')

/** The comments and names of a text, each with its line. */
function tokensOf(text) {
  let line = 1
  let end = 0
  const tokens = []
  for (const { index, groups } of text.matchAll(token)) {
    line += text.slice(end, index).split('\n').length - 1
    end = index
    if (groups.comment !== undefined || groups.name !== undefined) tokens.push({ ...groups, line })
  }
  return tokens
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sources = ['server/src', 'console/src'].flatMap((folder) => readSources(folder))
  const found = sources
    .filter(({ path }) => !path.endsWith('.gen.ts'))
    .flatMap(({ path, text }) => findingsIn(text).map(({ line, message }) => `${path}:${line}: ${message}`))
  if (found.length > 0) process.stderr.write(`${found.join('\n')}\nThe words are in docs/glossary.md.\n`)
  process.exitCode = found.length > 0 ? 1 : 0
}
