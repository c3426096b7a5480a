import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RowValues } from '../../../ground/model/change.ts'
import { changeColumns, createRenderChanges } from './change-lines.ts'
import { createColumnGuard } from './redact.ts'

const render = createRenderChanges(createColumnGuard(['secret'], 1000))
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', '"', '\\', '\u0000', '\u2028', 'é', '👍'),
)
const row = fc.dictionary(text, fc.option(text), { noNullPrototype: true })

/** A line's values by their columns, as ClickHouse reads them. */
const read = (line: string): Record<string, unknown> => {
  const values: unknown[] = JSON.parse(line)
  return Object.fromEntries(changeColumns.map((column, index) => [column, values[index]]))
}

const update = (old: RowValues, after: RowValues, names: { schema: string; table: string }) => ({
  ...{ lsn: '0/1', xid: 1, committedAt: new Date(0), cause: null },
  changes: [
    {
      ...{ relation: { id: 1, keyNumbers: [1] }, ...names, operation: 'update' as const },
      ...{ key: { id: after.id ?? null }, old, new: after, types: {} },
    },
  ],
})

test('every name and value stands in its line as it was, whatever characters it has', () => {
  fc.assert(
    fc.property(row, row, fc.string({ unit: 'binary' }), (old, after, table) => {
      // A lone half of a character cannot come from PostgreSQL; it must not spoil the line all the same.
      const [line = ''] = render(update(old, after, { schema: 'public', table }))
      const { old: oldText, new: newText, table_name: name } = read(line)
      expect(JSON.parse(String(oldText))).toEqual(old)
      expect(JSON.parse(String(newText))).toEqual(after)
      expect(name).toBe(table)
      expect(line).not.toMatch(/\p{Surrogate}/u)
    }),
  )
})

test('what is secret or too large is left out, that it changed is not', () => {
  const before = { id: '1', secret: 'a', body: 'b', note: null }
  const after = { id: '1', secret: 'b', body: 'x'.repeat(1001), note: 'c' }
  const [line = ''] = render(update(before, after, { schema: 'public', table: 't' }))
  expect(read(line)).toMatchObject({
    key: '{"id":"1"}',
    previous_key: '',
    old: '{"id":"1","body":"b","note":null}',
    new: '{"id":"1","note":"c"}',
    columns: ['secret', 'body', 'note'],
  })
})
