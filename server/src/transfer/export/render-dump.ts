import { quoteIdentifier } from '../../ground/sql/postgres.ts'
import type { ImportItem } from '../import/items.ts'

/** What a dump came to, while it is rendered. */
export interface DumpCounts {
  readonly tables: Record<string, number>
  readonly notes: string[]
}

const preamble = `-- An export of Clew, as a plain dump of PostgreSQL.

SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET check_function_bodies = false;
SET search_path = '';

`

const newline = 10

/** Items as a script for psql and `clew import`, rows as COPY blocks; counts are added to `counts` on the way. */
export async function* renderDump(
  items: AsyncIterable<ImportItem>,
  counts: DumpCounts,
): AsyncGenerator<string | Buffer> {
  yield preamble
  for await (const item of items)
    switch (item.kind) {
      case 'statement':
        yield `${item.text};\n\n`
        break
      case 'rows': {
        const name = [item.schema, item.table].map(quoteIdentifier).join('.')
        yield `COPY ${name} (${item.columns.map(quoteIdentifier).join(', ')}) FROM stdin;\n`
        let rows = 0
        for await (const piece of item.open()) {
          const bytes = Buffer.from(piece)
          rows += countLines(bytes)
          yield bytes
        }
        yield '\\.\n\n'
        counts.tables[`${item.schema}.${item.table}`] = rows
        break
      }
      case 'call':
        yield `${withValues(item.text, item.values)};\n\n`
        break
      case 'note':
        counts.notes.push(item.text)
        break
      default:
        item satisfies never
    }
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines += 1
  return lines
}

/** A statement with its values written out, for a script takes none beside it. */
const withValues = (text: string, values: readonly unknown[]): string =>
  text.replaceAll(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1]))

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  return `'${String(value).replaceAll("'", "''")}'`
}
