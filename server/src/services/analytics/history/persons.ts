import { createHash } from 'node:crypto'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { Spool } from '../../../engines/spool/index.ts'
import { isObject, type JsonObject, objectOf, textOf } from '../../../ground/json/object.ts'
import type { Consent } from '../../../ground/privacy/consent.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import { analyticsError } from '../errors.ts'
import { cleanText, longestDistinctId } from '../event/event.ts'
import { parseInstant } from '../event/time.ts'
import type { IdentityChange } from '../identity/change.ts'
import { renderChange } from '../identity/change-lines.ts'
import type { EventTarget } from '../targets.ts'
import type { RefusedLine } from './plan-history.ts'

/** A person of another product, with one of their ids. */
interface PersonRow {
  /** The person's id there. */
  readonly personId: string
  readonly distinctId: string
  readonly properties: JsonObject
  readonly createdAtMs: number
}

export interface ImportPersonsDeps {
  readonly sql: Pick<Sql, 'query'>
  /** Where captured changes go, too: they are masked on their way. */
  readonly spool: Pick<Spool<EventTarget>, 'append'>
  readonly consents: Pick<Consent, 'among'>
}

/** One look at the database for so many. */
const rowsPerSlice = 200

/**
 * Imports persons, a line for each of their distinct ids, in any order: ids of one person are joined, also with persons who
 * are known here by one of them. What is known here by a later event stays.
 */
export async function importPersons(
  lines: readonly string[],
  { sql: database, spool, consents }: ImportPersonsDeps,
): Promise<{ readonly accepted: number; readonly refused: readonly RefusedLine[] }> {
  const refused: RefusedLine[] = []
  const rows: PersonRow[] = []
  lines.forEach((text, line) => {
    const row = readRow(text)
    if (typeof row === 'string') refused.push({ line, reason: row })
    else rows.push(row)
  })
  for (let at = 0; at < rows.length; at += rowsPerSlice) {
    const slice = rows.slice(at, at + rowsPerSlice)
    const kept = await consents.among([...new Set(slice.map(({ distinctId }) => distinctId))])
    const allowed = slice.filter(({ distinctId }) => kept.has(distinctId))
    const first = await firstIds(database, allowed)
    const changes = allowed.map((row) => renderChange(changeOf(row, first.get(row.personId) ?? row.distinctId)))
    const record = { target: 'identity' as const, rows: changes.length, lines: changes.join('\n') }
    if (changes.length > 0 && !(await spool.append([record]))) throw analyticsError('CLEW_INGEST_FULL')
  }
  return { accepted: rows.length, refused }
}

function readRow(text: string): PersonRow | RefusedLine['reason'] {
  const raw = parse(text)
  if (raw === null) return 'no_json'
  const distinctId = cleanText(textOf(raw.distinct_id) ?? '', longestDistinctId).trim()
  const personId = textOf(raw.person_id) ?? ''
  if (distinctId === '' || personId === '') return 'no_distinct_id'
  const createdAtMs = parseInstant(raw.created_at)
  if (createdAtMs === null) return 'no_time'
  return { personId, distinctId, properties: objectOf(raw.properties) ?? {}, createdAtMs }
}

function parse(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** Of each person the distinct id that came first, now or in an earlier batch. */
async function firstIds(
  database: Pick<Sql, 'query'>,
  rows: readonly PersonRow[],
): Promise<ReadonlyMap<string, string>> {
  const personIds = rows.map(({ personId }) => personId)
  const distinctIds = rows.map(({ distinctId }) => distinctId)
  await database.query(
    compile(sql`
      insert into clew_analytics.imported_persons (person_id, distinct_id)
      select distinct on (person_id) person_id, distinct_id
      from unnest(${typed(personIds, 'text[]')}, ${typed(distinctIds, 'text[]')}) as row (person_id, distinct_id)
      on conflict (person_id) do nothing`),
  )
  const found = await database.query<{ person_id: string; distinct_id: string }>(
    compile(sql`
      select person_id, distinct_id
      from clew_analytics.imported_persons
      where person_id = any(${typed(personIds, 'text[]')})`),
  )
  return new Map(found.rows.map((row) => [row.person_id, row.distinct_id]))
}

function changeOf({ personId, distinctId, properties, createdAtMs }: PersonRow, first: string): IdentityChange {
  const isFirst = first === distinctId
  return {
    uuid: uuidOf(`person ${personId} ${distinctId}`),
    distinctId: first,
    otherId: isFirst ? null : distinctId,
    dangerous: !isFirst,
    // The first may have been imported long ago, with all that is known of the person.
    set: isFirst ? properties : null,
    setOnce: isFirst ? null : properties,
    unset: [],
    atMs: createdAtMs,
  }
}

/** An id made of a text (RFC 9562 §5.8): a row that is imported again is known by it. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
