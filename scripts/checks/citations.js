// `npm run check`: every section that the code, the tests and the docs cite is on a page of docs/protocols.
// A citation names its page: `auth §8`, `auth §34.7`, `rest §5.1, §5.2`. Sections of other documents (`RFC 7519 §4`) have
// a name with a capital or a digit and are left alone.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = 'docs/protocols'

/** The sections of a page: `34.7` for each `<a id="auth-34-7">`. */
export function sectionsOf(page, markdown) {
  const ids = markdown.matchAll(new RegExp(`<a id="${page}-([\\d-]+)"></a>`, 'g'))
  return new Set([...ids].map(([, id]) => id.replaceAll('-', '.')))
}

/**
 * The citations of protocol pages in a text: `{ line, page, section }`. The page is the word before the sign, the page of
 * the citation before it in a list, or `self`: the page that the text itself is.
 */
export function citationsIn(text, pageNames, self) {
  const found = []
  let last = null
  for (const match of text.matchAll(/§(\d[\d.]*\d|\d)(?:[–-]§?(\d[\d.]*\d|\d))?/g)) {
    const between = last === null ? null : unwrapped(text.slice(last.end, match.index))
    const isListed = between !== null && /^(, and|,| and|;)? ?$/.test(between)
    const word = isListed ? last.page : (wordBefore(text, match.index) ?? '')
    // On a page itself a section that is not named as another's is its own.
    const page = self === undefined || isForeign(word) || pageNames.has(word) ? word : self
    last = { page, end: match.index + match[0].length }
    if (isForeign(word)) continue
    const line = text.slice(0, match.index).split('\n').length
    const [, from, to] = match
    found.push({ line, page, section: from })
    if (to !== undefined) found.push({ line, page, section: endOfRange(from, to) })
  }
  return found
}

/** The rows that a table of cases proves: `row: '34.7'`, `rule: '3.6 count of rows'`. */
export function rowsIn(text, page) {
  return [...text.matchAll(/\b(?:row|rule): '(\d+(?:\.\d+)*)[ ']/g)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    page,
    section: match[1],
  }))
}

/** The citations whose section is on no page, as `file:line: auth §36 is not in docs/protocols`. */
export function unresolved(pages, path, citations) {
  return citations
    .filter(({ page, section }) => !pages.get(page)?.has(section))
    .map(({ line, page, section }) => `${path}:${line}: ${page} §${section} is not in ${folder}`.replace(':  §', ': §'))
}

/** Text over several lines of a comment as one line. */
const unwrapped = (text) => text.replaceAll(/\s*\n\s*(?:\*|\/\/|#)?\s*/g, ' ')

const wordBefore = (text, index) => /([\w.-]+) $/.exec(unwrapped(text.slice(Math.max(0, index - 120), index)))?.[1]

/** Whether the word is the end of another document's name: `RFC 7519`, `SAML Core`, `OAuth 2.1`. */
const isForeign = (word) => /[A-Z\d]/.test(word)

/** `35.5–9` ends in 35.9, `1–12` in 12. */
function endOfRange(from, to) {
  const parts = from.split('.')
  return to.includes('.') || parts.length === 1 ? to : [...parts.slice(0, -1), to].join('.')
}

function check() {
  const names = readdirSync(join(root, folder)).map((file) => file.replace('.md', ''))
  const read = (path) => readFileSync(join(root, path), 'utf8')
  const pages = new Map(names.map((name) => [name, sectionsOf(name, read(`${folder}/${name}.md`))]))
  const listed = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.js', '*.md', '*.sql'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  const paths = listed.split('\n').filter((path) => path !== '' && !/^scripts\/checks\/citations/.test(path))
  const missing = paths
    .filter((path) => existsSync(join(root, path)))
    .flatMap((path) => {
      const text = read(path)
      const [, self] = /^docs\/protocols\/(.+)\.md$/.exec(path) ?? []
      const [, page] = /^server\/test\/cases\/([^/]+)\//.exec(path) ?? []
      const rows = page === undefined ? [] : rowsIn(text, page)
      return unresolved(pages, path, [...citationsIn(text, new Set(names), self), ...rows])
    })
  if (missing.length > 0) process.stderr.write(`${missing.join('\n')}\n`)
  process.exitCode = missing.length > 0 ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) check()
