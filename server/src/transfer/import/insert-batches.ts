import { type DumpInsert, insertOf, withoutComments } from './dump-header.ts'
import type { ImportItem } from './items.ts'

/** Inserts of a dump that follow one another into the columns of one table: they are run as one. */
export interface InsertBatch {
  readonly kind: 'inserts'
  readonly into: Omit<DumpInsert, 'values'>
  /** What stands before `values`. */
  readonly start: string
  readonly inserts: readonly BatchedInsert[]
}

/** One of them. */
export interface BatchedInsert {
  /** The statement with its comments. */
  readonly text: string
  /** `(…), (…)`. */
  readonly rows: string
}

const mostInserts = 500
const mostCharacters = 1024 * 1024

/** Puts inserts together: a dump may have a statement for each row, and each has a transaction of its own otherwise. */
export async function* batchInserts(items: AsyncIterable<ImportItem>): AsyncGenerator<ImportItem | InsertBatch> {
  let batch: (Omit<InsertBatch, 'inserts'> & { readonly inserts: BatchedInsert[] }) | null = null
  let characters = 0
  for await (const item of items) {
    const found = item.kind === 'statement' && item.isDumped ? readInsert(item.text) : null
    const isFull = batch !== null && (batch.inserts.length >= mostInserts || characters >= mostCharacters)
    if (batch !== null && (found === null || found.start !== batch.start || isFull)) {
      yield batch
      batch = null
    }
    if (found === null) {
      yield item
      continue
    }
    const { start, into, insert } = found
    if (batch === null) {
      batch = { kind: 'inserts', into, start, inserts: [] }
      characters = 0
    }
    batch.inserts.push(insert)
    characters += insert.text.length
  }
  if (batch !== null) yield batch
}

/** An insert that ends with its rows; one that says what becomes of conflicts is run as it is. */
function readInsert(text: string) {
  const found = insertOf(text)
  if (found === null || !found.values.trimEnd().endsWith(')')) return null
  const { values, ...into } = found
  const rows = values.replace(/^values\s*/i, '')
  return { start: withoutComments(text).slice(0, -values.length), into, insert: { text, rows } }
}
