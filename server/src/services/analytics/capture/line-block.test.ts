import { expect, test } from 'vitest'
import { createLineBlock } from './line-block.ts'

test('rows stand in a block as they came, however long they are', () => {
  const rows = [
    'a',
    'für alle 🎈',
    '€'.repeat(20_000),
    Buffer.from('bytes'),
    `${'x'.repeat(300_000)}\nand its second row`,
  ]
  const block = createLineBlock()
  for (const row of rows) block.add(row)
  expect(block.bytes().toString()).toBe(rows.map(String).join('\n'))
})

test('a block of no rows is empty', () => {
  expect(createLineBlock().bytes()).toHaveLength(0)
})
