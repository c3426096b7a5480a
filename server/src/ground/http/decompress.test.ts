import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decompress, isGzip } from './decompress.ts'

const text = Buffer.from('{"event":"ordered"}')

test.each([
  ['gzip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['br', brotliCompressSync(text)],
] as const)('%s is undone', async (coding, bytes) => {
  expect(await decompress(coding, bytes, 1000)).toEqual({ kind: 'bytes', bytes: text })
})

test.each([10, 10_000_000])('a bomb of %i bytes over the limit is refused before it fills the memory', async (over) => {
  const limit = 1_000_000
  expect(await decompress('gzip', gzipSync(Buffer.alloc(limit + over)), limit)).toEqual({ kind: 'too_large' })
})

test('a body exactly at the limit is accepted', async () => {
  expect((await decompress('gzip', gzipSync(Buffer.alloc(500_000)), 500_000)).kind).toBe('bytes')
})

test('a cut body is damaged', async () => {
  const bytes = gzipSync(text)
  expect(isGzip(bytes)).toBe(true)
  expect(await decompress('gzip', bytes.subarray(0, bytes.length - 9), 1000)).toEqual({ kind: 'damaged' })
  expect(await decompress('br', text, 1000)).toEqual({ kind: 'damaged' })
})
