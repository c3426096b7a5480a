import { expect, test } from 'vitest'
import { exportPathOf } from './file-names.ts'

test.each([
  ['papers', 'a/b.txt', 'storage/papers/a/b.txt'],
  ['papers', 'a//b.txt', null],
  ['papers', 'a/', null],
  ['papers', '../../a', null],
  ['..', 'a', null],
  ['papers', 'a'.repeat(300), null],
  ['papers', 'a\\b', null],
])('%s and %s', (bucket, key, path) => {
  expect(exportPathOf({ bucket, key })).toBe(path)
})
