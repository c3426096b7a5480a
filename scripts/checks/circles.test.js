import { expect, test } from 'vitest'
import { circlesIn } from './circles.js'

const file = (path, ...imports) => ({
  path: `server/src/${path}`,
  text: imports.map((from) => `import { a } from '${from}'`).join('\n'),
})

test('folders of a room that import each other are a circle, over however many', () => {
  const files = [
    file('services/x/a/one.ts', '../b/two.ts'),
    file('services/x/b/two.ts', '../c/three.ts', '../d/four.ts'),
    file('services/x/c/three.ts', '../a/one.ts'),
    file('services/x/d/four.ts'),
  ]
  expect(circlesIn(files)).toEqual(['services/x: a, b, c'])
})

test('imports that run one way are none, nor those of a folder and the folders within it', () => {
  const files = [
    file('gateway/index.ts', './request/caller.ts'),
    file('gateway/request/caller.ts', '../errors.ts', './parse/head.ts', '../pages/page.ts'),
    file('gateway/request/parse/head.ts', '../caller.ts'),
    file('gateway/pages/page.ts', '../errors.ts', '../../services/x/index.ts'),
  ]
  expect(circlesIn(files)).toEqual([])
})
