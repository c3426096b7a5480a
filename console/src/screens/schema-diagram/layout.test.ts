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

test('two hundred tables have about the form of a screen, those that are named to the right', () => {
  const tables = Array.from({ length: 200 }, (_, index) =>
    table(`t${index}`, 2 + (index % 14), ...(index === 0 ? [] : [`t${index % 7 === 0 ? 0 : (index * 31) % index}`])),
  )
  const places = placeTables(tables)
  const xOf = (name: string) => places.get(name)?.x ?? Number.NaN
  const wrong = tables.flatMap((from) =>
    from.references.filter((to) => xOf(to.table) <= xOf(from.name)).map((to) => `${from.name} → ${to.table}`),
  )
  expect(wrong).toEqual([])
  const width = Math.max(...tables.map(({ name }) => xOf(name))) + tableWidth
  const height = Math.max(...tables.map((one) => (places.get(one.name)?.y ?? Number.NaN) + heightOf(one)))
  expect(width / height).toBeGreaterThan(1)
  expect(width / height).toBeLessThan(2.5)
})

test('tables that name one another in a ring, or themselves, have a place each', () => {
  const tables = [table('a', 3, 'b'), table('b', 3, 'c'), table('c', 3, 'a'), table('self', 3, 'self')]
  const places = placeTables(tables)
  expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(4)
})

test('tables stand beside those that they name', () => {
  const places = placeTables([table('a1', 3, 'b1'), table('a2', 3, 'b2'), table('b2', 2), table('b1', 2)])
  const below = (one: string, other: string) =>
    (places.get(one)?.y ?? Number.NaN) > (places.get(other)?.y ?? Number.NaN)
  expect(below('a1', 'a2')).toBe(below('b1', 'b2'))
})
