import { expect, test } from 'vitest'
import type { Sending } from './delivery.ts'
import { type RewriteRow, rewriteRows } from './rewrite-rows.ts'

const sending: Sending = { again: false, attempt: 1, signal: new AbortController().signal }
const blocks = [Buffer.from('a1\nb2'), Buffer.from('a3')]

async function stored(find: () => Promise<RewriteRow | null>): Promise<readonly Buffer[]> {
  let given: readonly Buffer[] = []
  const sink = rewriteRows(async (lines) => {
    given = lines
  }, find)
  await sink(blocks, sending)
  return given
}

test('rows are rewritten within their blocks before a sink has them', async () => {
  const rewritten = await stored(async () => (row) => row.replace('a', 'x'))
  expect(rewritten.map(String)).toEqual(['x1\nb2', 'x3'])
})

test('where nothing is to be rewritten the blocks are not touched', async () => {
  expect(await stored(async () => null)).toBe(blocks)
})

test('while it is not known how rows are rewritten, no row reaches the sink', async () => {
  let calls = 0
  const sink = rewriteRows(
    async () => {
      calls += 1
    },
    async () => Promise.reject(new Error('unknown')),
  )
  await expect(sink(blocks, sending)).rejects.toThrow('unknown')
  expect(calls).toBe(0)
})
