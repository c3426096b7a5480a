import { expect, test } from 'vitest'
import { findBuiltFile } from './find-map.ts'

const file = (release: string, path: string, hash: string, chunkId: string | null = null) => ({
  release,
  path,
  hash,
  chunkId,
})
const files = [
  file('v2', 'app.js', 'v2-app'),
  file('v1', 'assets/app.js', 'v1-assets', 'c1'),
  file('v1', 'app.js', 'v1-app'),
  file('', 'vendor.js', 'vendor'),
]

test.each([
  ['its chunk id', 'https://a.test/other.js', 'c1', 'v2', 'v1-assets'],
  ['the longest path of its release', 'https://a.test/x/assets/app.js?v=1', null, 'v1', 'v1-assets'],
  ['its path at the root', 'https://a.test/app.js#x', null, 'v1', 'v1-app'],
  ['files of no release, where its own has none', 'https://a.test/vendor.js', null, 'v2', 'vendor'],
  ['the latest upload, where it names no release', 'https://a.test/app.js', null, null, 'v2-app'],
  ['nothing of another release', 'https://a.test/app.js', null, 'v3', null],
  ['no file whose name only ends alike', 'https://a.test/myapp.js', null, null, null],
  ['nothing without an address', null, null, 'v1', null],
])('a frame’s map is found by %s', (_, address, chunkId, release, hash) => {
  expect(findBuiltFile({ file: address, chunkId }, release, files)?.hash ?? null).toBe(hash)
})
