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

/** How lines of `snapshots` are masked: parameters of addresses, and bodies of requests; null where nothing of them is. */
export function rewriteSnapshots(list: MaskList): ((line: string) => string) | null {
  const names = namesOf(list)
  if (names.length === 0) return null
  const maskAddresses = createMaskAddresses(names)
  const bodies = new RegExp(bodyExpression(names), 'gi')
  const mask = (text: string): string => maskAddresses(text).replace(bodies, `$1${maskedText}"`)
  const lowered = addressForms(names).map((name) => name.toLowerCase())
  return (line) => {
    const found = line.toLowerCase()
    if (!lowered.some((name) => found.includes(name))) return line
    const masked = mask(line)
    if (!masked.includes(dataText)) return masked
    // Events that were written anew stand in it as a text; those of others may, too, where they are compressed.
    const row: unknown = JSON.parse(masked)
    if (!isObject(row) || typeof row.data !== 'string') return masked
    return stringifyWellFormed({ ...row, data: mask(row.data) })
  }
}

const dataText = ',"data":"'

/** The recordings of people. */
export const maskedSnapshots = (clickhouse: Pick<ClickHouse, 'query' | 'command'>): MaskedStore => ({
  name: 'recordings',
  mask: async (list, work) => {
    const names = namesOf(list)
    return names.length === 0 ? 0 : rewriteTable(clickhouse, snapshotsRewrite(names), work)
  },
})

function snapshotsRewrite(names: readonly string[]): Rewrite {
  const withoutBodies = (text: SqlFragment): SqlFragment =>
    sql`replaceRegexpAll(${text}, ${`(?i)${bodyExpression(names)}`}, ${`\\1${maskedText}"`})`
  return {
    table: 'snapshots',
    columns: {
      data: withoutBodies(maskedAddresses(identifier('data'), names)),
      urls: sql`arrayMap(url -> ${maskedAddresses(sql`url`, names)}, urls)`,
      errors: sql`arrayMap(error -> (error.1, ${maskedAddresses(sql`error.2`, names)}), errors)`,
    },
    where: mayName(identifier('data'), names),
  }
}
