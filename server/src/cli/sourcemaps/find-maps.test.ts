import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findMaps } from './find-maps.ts'

test('source maps are found by comments, in them, and beside the file, and none outside the folder', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'clew-maps-'))
  const folder = join(outside, 'dist')
  await mkdir(join(folder, 'assets'), { recursive: true })
  const files = {
    'assets/index-Bx1.js':
      'a()\n//# chunkId=0199a1b2-0000-7000-8000-000000000001\n//# sourceMappingURL=index-Bx1.js.map',
    'assets/index-Bx1.js.map': 'one',
    'hidden.mjs': 'b()',
    'hidden.mjs.map': 'two',
    'inline.js': `c()\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${Buffer.from('three').toString('base64')}`,
    'leaves.js': 'd()\n//# sourceMappingURL=../secret.map',
    'remote.js': 'e()\n//# sourceMappingURL=https://cdn.test/x.map',
    'bare.js': 'f()',
    'style.css': '/*# sourceMappingURL=style.css.map */',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await writeFile(join(outside, 'secret.map'), 'secret')
  const found = await findMaps(folder)
  await rm(outside, { recursive: true })
  expect(found.map(({ content, ...map }) => ({ ...map, content: content.toString() }))).toEqual([
    { path: 'hidden.mjs', chunkId: null, content: 'two' },
    { path: 'assets/index-Bx1.js', chunkId: '0199a1b2-0000-7000-8000-000000000001', content: 'one' },
    { path: 'inline.js', chunkId: null, content: 'three' },
  ])
})
