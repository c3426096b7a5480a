import type { Sql } from '../../../engines/postgres/index.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Masks } from '../../../ground/privacy/masks.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { join, sql, typed } from '../../../ground/sql/sql.ts'
import { columnOf, qualified } from '../render/names.ts'
import { createTables, type DataTable } from './table-catalogue.ts'

/** A row that a key names. */
export interface KeyedRow {
  readonly schema: string
  readonly table: string
  readonly column: string
  readonly key: string
}

const integers: ReadonlyMap<string, bigint> = new Map([
  ['smallint', 2n ** 15n],
  ['integer', 2n ** 31n],
  ['bigint', 2n ** 63n],
])
const texts = new Set(['text', 'character varying'])

/** Tables that are asked: each costs a look into the index of its key. */
const mostTables = 100

/** Whether a key of this type may be what the text says. */
function mayHold(baseType: string, text: string): boolean {
  const bound = integers.get(baseType)
  if (bound !== undefined) return /^-?\d{1,19}$/.test(text) && BigInt(text) < bound && BigInt(text) >= -bound
  return baseType === 'uuid' ? isUuid(text) : texts.has(baseType)
}

/** Finds rows by the text of their key, in tables whose key is one column; by an index each. */
async function findRowsByKey(
  reader: Pick<Sql, 'query'>,
  tables: readonly DataTable[],
  text: string,
  limit: number,
): Promise<readonly KeyedRow[]> {
  const looks = tables
    .flatMap((table) => {
      const [name, ...more] = table.key
      const column = name === undefined || more.length > 0 ? undefined : table.columns.get(name)
      const hidden = column === undefined || table.secrets.has(column.name) || table.masked.has(column.name)
      return hidden || !mayHold(column.baseType, text) ? [] : [{ table, column }]
    })
    .slice(0, mostTables)
    .map(({ table, column }) => {
      const value = typed(text, column.baseType)
      return sql`
        select ${table.schema}::text as schema, ${table.name}::text as table, ${column.name}::text as column, ${text}::text as key
        where exists (select from ${qualified(table)} where ${columnOf({ alias: null, relation: table }, column.name)} = ${value})`
    })
  if (looks.length === 0) return []
  const { rows } = await reader.query<KeyedRow>(
    compile(sql`${join(looks, ' union all ')} limit ${typed(limit, 'integer')}`),
  )
  return rows
}

/** What rows are found by. */
export interface RowFinderDeps {
  readonly catalogues: Pick<Sql, 'query'>
  /** Reads rows as the application's owner, whose rights on tables count. */
  readonly reader: Pick<Sql, 'query'>
  readonly ownerRole: string
  readonly masks: Masks
  readonly now: () => Date
}

/** While one types, the catalogue is read once. */
const keptMs = 5_000

/** Finds rows of the application by the text of their key. */
export function createRowFinder({ catalogues, reader, ownerRole, masks, now }: RowFinderDeps) {
  const tables = createTables(catalogues, ownerRole, masks)
  let kept: { readonly untilMs: number; readonly tables: Promise<readonly DataTable[]> } | null = null
  return async (text: string, limit: number): Promise<readonly KeyedRow[]> => {
    const nowMs = now().getTime()
    if (kept === null || kept.untilMs < nowMs) kept = { untilMs: nowMs + keptMs, tables: tables.all() }
    const { tables: read } = kept
    read.catch(() => {
      kept = null
    })
    return findRowsByKey(reader, await read, text, limit)
  }
}
