import { expect, test } from 'vitest'
import { undocumented } from './doors.js'

const file = (path, text) => ({ path: `server/src/${path}`, text })

test('an export of a door without a docstring is named where it is declared', () => {
  const files = [
    file('services/x/index.ts', "export { a, type B, c as d } from './a.ts'\nexport const e = 1\n"),
    file(
      'services/x/a.ts',
      '/** Does it. */\nexport async function a() {}\n\nexport interface B {}\nexport const c = 1\n',
    ),
  ]
  expect(undocumented(files)).toEqual([
    { path: 'server/src/services/x/index.ts', name: 'e' },
    { path: 'server/src/services/x/a.ts', name: 'B' },
    { path: 'server/src/services/x/a.ts', name: 'c' },
  ])
})

test('a re-export is followed to its declaration, and files behind no door are not asked', () => {
  const files = [
    file('gateway/index.ts', "export { a } from './request/index.ts'\n"),
    file('gateway/request/index.ts', "export {\n  a,\n  b,\n} from './a.ts'\n"),
    file('gateway/request/a.ts', '/**\n * Does it.\n */\nexport const a = 1\nexport const b = 1\n'),
  ]
  expect(undocumented(files)).toEqual([])
})
