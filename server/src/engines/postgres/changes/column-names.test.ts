import { expect, test } from 'vitest'
import { numberColumns } from './column-names.ts'

const int = 23
const text = 25
const dropped = true

/** `then`: name and type. `now`: the same in order of number; null where the column was dropped. */
const cases: [
  title: string,
  then: [string, number][],
  now: ([string, number] | null)[],
  expected: (number | null)[],
][] = [
  [
    'nothing changed',
    [
      ['id', int],
      ['a', text],
    ],
    [
      ['id', int],
      ['a', text],
    ],
    [1, 2],
  ],
  [
    'the key was renamed',
    [
      ['id', int],
      ['a', text],
    ],
    [
      ['ident', int],
      ['a', text],
    ],
    [1, 2],
  ],
  [
    'a column was dropped long before',
    [
      ['id', int],
      ['a', text],
    ],
    [null, ['id', int], ['a', text]],
    [2, 3],
  ],
  [
    'one was dropped since',
    [
      ['x', int],
      ['id', int],
      ['c', int],
    ],
    [null, ['id', int], ['c', int]],
    [1, 2, 3],
  ],
  [
    'one was dropped since, another added',
    [
      ['x', int],
      ['id', int],
      ['c', int],
    ],
    [null, ['id', int], ['c', int], ['d', int]],
    [1, 2, 3],
  ],
  [
    'the key was renamed and another column took its name',
    [
      ['id', int],
      ['a', text],
    ],
    [
      ['old', int],
      ['a', text],
      ['id', int],
    ],
    [1, 2],
  ],
  [
    'two columns swapped names',
    [
      ['a', int],
      ['b', text],
    ],
    [
      ['b', int],
      ['a', text],
    ],
    [1, 2],
  ],
  [
    'a type was changed',
    [
      ['id', int],
      ['a', text],
    ],
    [
      ['id', text],
      ['a', text],
    ],
    [1, 2],
  ],
  ['the table is gone', [['id', int]], [], [null]],
]

test.each(cases)('a column is known again when %s', (_title, then, now, expected) => {
  const described = then.map(([name, typeId]) => ({ name, typeId }))
  const attributes = now.map((column, index) => ({
    number: index + 1,
    name: column?.[0] ?? `........pg.dropped.${index + 1}........`,
    typeId: column?.[1] ?? 0,
    dropped: column === null ? dropped : false,
  }))
  expect(numberColumns(described, attributes)).toEqual(expected)
})
