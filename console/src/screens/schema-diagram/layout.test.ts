import { expect, test } from 'vitest'
import type { DiagramTable } from '../../lib/api/schema.ts'
import { drawnColumns, heightOf, placeTables, tableWidth } from './layout.ts'

const column = (name: string, isKey = false) => ({ name, type: 'text', nullable: true, isKey })
const table = (name: string, columns: number, ...to: readonly string[]): DiagramTable => ({
  ...{ schema: 'public', name },
  columns: [column('id', true), ...Array.from({ length: columns - 1 }, (_, index) => column(`c${index}`))],
  references: to.map((other) => ({
    ...{
      name: `${name}_${other}`,
      columns: [`c${columns - 2}`],
      schema: 'public',
      table: other,
      foreignColumns: ['id'],
    },
  })),
})

test('no two tables are drawn over one another', () => {
  const tables = Array.from({ length: 120 }, (_, index) =>
    table(`t${index}`, 2 + (index % 30), ...(index % 3 === 0 && index > 0 ? [`t${index - 3}`, `t${index}`] : [])),
  )
  const places = placeTables(tables)
  expect(places.size).toBe(120)
  const boxes = tables.map((one) => ({
    ...(places.get(one.name) ?? { x: Number.NaN, y: Number.NaN }),
    height: heightOf(one),
  }))
  const overlapping = boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter((b) => Math.abs(a.x - b.x) < tableWidth && a.y < b.y + b.height && b.y < a.y + a.height),
  )
  expect(overlapping).toEqual([])
})

test('of many columns those that lines meet are drawn', () => {
  const drawn = drawnColumns(table('orders', 40, 'customers')).map(({ name }) => name)
  expect(drawn).toHaveLength(14)
  expect(drawn).toContain('id')
  expect(drawn).toContain('c38')
})

test('a table that is named stands to the right of those that name it', () => {
  const places = placeTables([table('orders', 3, 'customers'), table('customers', 2), table('alone', 2)])
  expect(places.get('customers')?.x).toBeGreaterThan(places.get('orders')?.x ?? Number.NaN)
  expect(places.get('alone')?.y).toBeGreaterThan(places.get('customers')?.y ?? Number.NaN)
})
