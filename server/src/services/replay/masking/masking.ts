import { type ClickHouse, type Rewrite, rewriteTable } from '../../../engines/clickhouse/index.ts'
import { isObject } from '../../../ground/json/object.ts'
import { addressForms, createMaskAddresses, escaped } from '../../../ground/privacy/addresses.ts'
import { maskedAddresses, mayName } from '../../../ground/privacy/clickhouse.ts'
import { type MaskedStore, type MaskList, maskedText } from '../../../ground/privacy/masks.ts'
import { identifier, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'

/** Compressed parts of a recording are any bytes: so short a name stands in them by chance. */
const shortestName = 3

/**
 * A regular expression, for JavaScript and RE2 alike, of a body of a recorded request that holds one of these names: what
 * is before the body, and the body. Which of it is a value of that name only its format would tell, so all of it is masked.
 */
const bodyExpression = (names: readonly string[]): string =>
  `("(?:requestBody|responseBody)":")(?:[^"\\\\]|\\\\.)*(?:${addressForms(names).map(escaped).join('|')})(?:[^"\\\\]|\\\\.)*"`

const namesOf = ({ properties }: MaskList): readonly string[] =>
  properties.filter((name) => name.length >= shortestName)

/** Properties that tell what page a person is on: a recording knows it by its address, which has all of them. */
const pageProperties = ['$current_url', '$pathname', '$host']

const hidesPages = ({ properties }: MaskList): boolean => pageProperties.some((name) => properties.includes(name))

/** The rest of a text of JSON behind its first quote. */
const rest = `[^"\\\\]*(?:\\\\.[^"\\\\]*)*"`
/** Members of an object that are no objects or lists themselves. */
const plainMembers = `(?:"${rest}\\s*:(?:\\s*"${rest}\\s*|[^"{}\\[\\],]*),\\s*)*`

/**
 * Regular expressions, for JavaScript and RE2 alike, of addresses in the events of a recording: what is before an address,
 * and the address. That of a page is in events of type 4, and in those that posthog-js adds; that of a request is its name
 * in the list of the network. Attributes of elements are none of these: the page is shown with them.
 */
const addressExpressions = [
  `("(?:data|payload)"\\s*:\\s*\\{\\s*${plainMembers}"href"\\s*:\\s*")${rest}`,
  `("name"\\s*:\\s*")(?:https?|wss?|blob|file):${rest}`,
]

/** How lines of `snapshots` are masked; null where nothing of them is. */
export function rewriteSnapshots(list: MaskList): ((line: string) => string) | null {
  const maskNamed = createMaskNamed(namesOf(list))
  if (!hidesPages(list)) return maskNamed
  return (line) => hidePages(maskNamed === null ? line : maskNamed(line))
}

/** Masks parameters of addresses, and bodies of requests; null where no name is masked. */
function createMaskNamed(names: readonly string[]): ((line: string) => string) | null {
  if (names.length === 0) return null
  const maskAddresses = createMaskAddresses(names)
  const bodies = new RegExp(bodyExpression(names), 'gi')
  const mask = (text: string): string => maskAddresses(text).replace(bodies, `$1${maskedText}"`)
  const lowered = addressForms(names).map((name) => name.toLowerCase())
  return (line) => {
    const found = line.toLowerCase()
    if (!lowered.some((name) => found.includes(name))) return line
    const masked = mask(line)
    if (!masked.includes(`${dataStart}"`)) return masked
    // Events that were written anew stand in it as a text; those of others may, too, where they are compressed.
    const row: unknown = JSON.parse(masked)
    if (!isObject(row) || typeof row.data !== 'string') return masked
    return stringifyWellFormed({ ...row, data: mask(row.data) })
  }
}

/** Rendered by `renderLine`: what stands behind it is the last member. */
const dataStart = ',"data":'

/** Masks every address in the events of a line, and those of its pages. */
function hidePages(line: string): string {
  const at = line.indexOf(dataStart)
  // A text in the head has its quotes escaped: it cannot hold what `data` begins with.
  const head: unknown = JSON.parse(`${line.slice(0, at)}}`)
  if (!isObject(head)) return line
  const urls = Array.isArray(head.urls) ? head.urls.map(() => maskedText) : []
  const data = line.slice(at + dataStart.length, -1)
  const hidden = data.startsWith('"') ? JSON.stringify(hideAddresses(String(JSON.parse(data)))) : hideAddresses(data)
  return `${stringifyWellFormed({ ...head, urls }).slice(0, -1)}${dataStart}${hidden}}`
}

const hideAddresses = (events: string): string =>
  addressExpressions.reduce((all, expression) => all.replace(new RegExp(expression, 'g'), `$1${maskedText}"`), events)

/** The recordings of people. */
export const maskedSnapshots = (clickhouse: Pick<ClickHouse, 'query' | 'command'>): MaskedStore => ({
  name: 'recordings',
  mask: async (list, work) => {
    const names = namesOf(list)
    if (names.length === 0) return 0
    return rewriteTable(clickhouse, snapshotsRewrite(names, hidesPages(list)), work)
  },
})

function snapshotsRewrite(names: readonly string[], hidden: boolean): Rewrite {
  const data = replaced(maskedAddresses(identifier('data'), names), `(?i)${bodyExpression(names)}`)
  const mayHold = mayName(identifier('data'), names)
  return {
    table: 'snapshots',
    columns: {
      data: hidden ? addressExpressions.reduce(replaced, data) : data,
      urls: sql`arrayMap(url -> ${hidden ? maskedText : maskedAddresses(sql`url`, names)}, urls)`,
      errors: sql`arrayMap(error -> (error.1, ${maskedAddresses(sql`error.2`, names)}), errors)`,
    },
    where: hidden ? sql`(notEmpty(urls) or multiSearchAny(data, ['"href"', '"name"']) or ${mayHold})` : mayHold,
  }
}

/** A text in which what an expression finds is masked behind its group. */
function replaced(text: SqlFragment, expression: string): SqlFragment {
  return sql`replaceRegexpAll(${text}, ${expression}, ${`\\1${maskedText}"`})`
}
