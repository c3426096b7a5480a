import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { openClient } from '../connection/connections.ts'
import { copyStream } from './copy-stream.ts'

const rows = 2000
const rowBytes = 40_000

test('bytes that wait for a slow reader are whole and in order, in memory that is used again', async ({ db }) => {
  const client = await openClient(db.login('supabase_admin'), 'test')
  onTestFinished(() => client.end())
  const command = `copy (select n || repeat(chr(97 + n % 26), ${rowBytes}) from generate_series(1, ${rows}) n) to stdout`
  const { messages, results } = copyStream(client, command)
  const memories = new Set<ArrayBufferLike>()
  let n = 0
  for await (const message of messages()) {
    // More comes meanwhile.
    await turn()
    n += 1
    const expected = `${n}${String.fromCharCode(97 + (n % 26)).repeat(rowBytes)}\n`
    if (message.toString() !== expected) expect(message.toString()).toBe(expected)
    memories.add(message.buffer)
  }
  await results
  expect(n).toBe(rows)
  // Blocks of a MiB, of which a few wait at a time.
  expect(memories.size).toBeLessThan((rows * rowBytes) / 1024 ** 2 / 4)
})
