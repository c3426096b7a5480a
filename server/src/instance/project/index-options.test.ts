import { expect, test } from 'vitest'
import { withoutIndexOptions } from './index-options.ts'

test.for([
  [
    'create index on d using hnsw (v vector_l2_ops) with (m = 16, ef_construction = 64)',
    'create index on d using hnsw (v vector_l2_ops)',
  ],
  [
    `-- near\nCREATE INDEX i ON d USING ivfflat (v) WITH (lists='100') where b`,
    '-- near\nCREATE INDEX i ON d USING ivfflat (v) where b',
  ],
] as const)('an index of neighbours loses its options: %s', ([text, expected]) => {
  const found = withoutIndexOptions(text)
  expect(found?.replaceAll(/ +/g, ' ').trimEnd()).toBe(expected)
  expect(found).toHaveLength(text.length)
})

test.for([
  'create index on d using hnsw (v vector_l2_ops)',
  'create index on d using gin (v) with (fastupdate = off)',
  'create index on d using hnsw (v) with (fillfactor = 70)',
  `do $$ begin execute 'create index on d using ivfflat (v) with (lists = 100)'; end $$`,
] as const)('another statement stays: %s', (text) => {
  expect(withoutIndexOptions(text)).toBeNull()
})
