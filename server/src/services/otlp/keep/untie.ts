import { rewriteBlocks } from '../../../engines/spool/index.ts'
import { objectOf } from '../../../ground/json/object.ts'
import { atOnce, type Consent, mayBeStored } from '../../../ground/privacy/consent.ts'
import { maskedText } from '../../../ground/privacy/masks.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import { type NamedTie, namedTie, tyingAttributes } from '../rows/ties.ts'
import type { Visitors } from './visitors.ts'

export interface UntieDeps {
  readonly consent: Consent
  readonly visitors: Pick<Visitors, 'ofSessions'>
}

/** The columns that name a visitor's session: itself, and attributes in JSON. */
const tyingColumns = ['attributes', 'resource']

/**
 * Rows as they may be stored: where not everything may, one that names a session, or a visitor, keeps the names only where
 * the visitor's data may be stored. Whose session it is, the row says, or what is stored of the session; of one that nothing
 * is known of, the names go.
 *
 * @param columns the columns of a line, in its order
 */
export async function untieRows(
  { consent, visitors }: UntieDeps,
  columns: readonly string[],
  blocks: readonly Buffer[],
): Promise<readonly Buffer[]> {
  if (await consent.isOpen()) return blocks
  const { read, untie } = rowTies(columns)
  const ties: Tie[] = []
  await rewriteBlocks(blocks, (row) => {
    ties.push(read(row))
    return ''
  })
  const isNamed = ({ sessionId, distinctId }: Tie): boolean => sessionId !== '' || distinctId !== ''
  const unnamed = ties.filter(({ sessionId, distinctId }) => distinctId === '' && sessionId !== '')
  const known = await visitors.ofSessions([...new Set(unnamed.map(({ sessionId }) => sessionId))])
  const idsOf = ({ sessionId, distinctId }: Tie): readonly string[] =>
    distinctId === '' ? (known.get(sessionId) ?? []) : [distinctId]
  const since = await consent.since([...new Set(ties.filter(isNamed).flatMap(idsOf))])
  const mayStay = (tie: Tie): boolean => {
    const ids = idsOf(tie)
    return ids.length > 0 && ids.every((id) => mayBeStored(since.get(id), () => atOnce(tie.atMs)))
  }
  let at = -1
  return rewriteBlocks(blocks, (row) => {
    at += 1
    const tie = ties[at]
    return tie === undefined || !isNamed(tie) || mayStay(tie) ? row : untie(row)
  })
}

/** Whose work a row is, and its time in milliseconds since 1970, by the clock of the server that sent it. */
interface Tie extends NamedTie {
  readonly atMs: number
}

/** Reads ties of rows, and takes them away. */
function rowTies(columns: readonly string[]) {
  const session = columns.indexOf('session_id')
  const time = columns.indexOf('time')
  const places = tyingColumns.map((name) => columns.indexOf(name))
  const parse = (row: string): unknown[] => JSON.parse(row)
  return {
    read(row: string): Tie {
      const values = parse(row)
      const holders = places.map((place) => membersOf(values[place]))
      const { distinctId } = namedTie((name) => holders.find((holder) => name in holder)?.[name])
      return { sessionId: String(values[session]), distinctId, atMs: Number(values[time]) }
    },
    untie(row: string): string {
      const values = parse(row)
      values[session] = ''
      for (const place of places) {
        const members = membersOf(values[place])
        for (const name of tyingAttributes) if (name in members) members[name] = maskedText
        if (Object.keys(members).length > 0) values[place] = members
      }
      return stringifyWellFormed(values)
    },
  }
}

/** Attributes of a row: an object, its text in rows of earlier versions, or an empty text. */
const membersOf = (value: unknown): Record<string, unknown> => ({
  ...objectOf(typeof value === 'string' && value !== '' ? JSON.parse(value) : value),
})
