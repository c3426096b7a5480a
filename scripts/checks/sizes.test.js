import { describe, expect, test } from 'vitest'
import { fullFolders, longFunctions } from './sizes.js'

const functionOf = (name, lines) => `export function ${name}() {\n${'  run()\n'.repeat(lines - 2)}}\n`
const file = (path, text) => ({ path, text })

describe('functions', () => {
  test.each([
    { title: 'of 80 lines pass', text: functionOf('a', 80), found: [] },
    { title: 'of 81 lines do not', text: `// é\n${functionOf('a', 81)}`, found: [['a', 2, 81]] },
    {
      title: 'that open services have 60 lines',
      text: functionOf('openServices', 61),
      found: [['openServices', 1, 61]],
    },
    {
      title: 'within a function count with it',
      text: `const outer = () => {\n${functionOf('inner', 81).replace('export ', '')}}\n`,
      found: [[undefined, 1, 83]],
    },
  ])('$title', ({ text, found }) => {
    const expected = found.map(([name, line, lines]) => ({ path: 'a.ts', name, line, lines }))
    expect(longFunctions([file('a.ts', text)])).toEqual(expected)
  })
})

test('folders of more than 20 files are found, but for lists by nature', () => {
  const paths = (folder, count) => Array.from({ length: count }, (_, index) => `${folder}/${index}.ts`)
  expect(fullFolders([...paths('a', 20), ...paths('b', 21), ...paths('c/ui', 30)])).toEqual([['b', 21]])
})
