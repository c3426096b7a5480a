import { expect, test } from 'vitest'
import { type DrainOptions, LinesRefused, openDrain } from './drain.ts'

/** A server in memory, and a drain to it. */
function drainTo(given: Partial<DrainOptions> = {}) {
  const server = { takes: true as boolean, refuses: false, batches: [] as (readonly string[])[], attempts: 0 }
  const changes: ('fails' | 'works')[] = []
  const drain = openDrain({
    async send(lines) {
      server.attempts += 1
      if (server.refuses) throw new LinesRefused('not such lines')
      if (!server.takes) throw new Error('away')
      server.batches.push(lines)
    },
    ...{ batchLines: 3, queueBytes: 1000, lingerMs: 1, retryMs: 1 },
    changed: (cause) => changes.push(cause === null ? 'works' : 'fails'),
    ...given,
  })
  return { server, changes, drain, lines: () => server.batches.flat() }
}

const write = (drain: { write(line: string): void }, ...lines: string[]) => {
  for (const line of lines) drain.write(`${line}\n`)
}

test('lines arrive in their order, some at a time', async () => {
  const { server, drain, lines } = drainTo()
  write(drain, 'a', 'b', 'c', 'd', 'e')
  await expect.poll(lines).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(server.batches.every(({ length }) => length <= 3)).toBe(true)
  await drain.close()
})

test('while nothing is taken lines wait, and are sent when it is; both are told once', async () => {
  const { server, changes, drain, lines } = drainTo()
  server.takes = false
  write(drain, 'a', 'b')
  await expect.poll(() => server.attempts).toBeGreaterThan(2)
  expect(changes).toEqual(['fails'])
  server.takes = true
  await expect.poll(lines).toEqual(['a', 'b'])
  await drain.close()
  expect(changes).toEqual(['fails', 'works'])
  expect(drain.dropped()).toBe(0)
})

test('what finds no room is dropped and counted', async () => {
  const { server, drain, lines } = drainTo({ queueBytes: 10 })
  server.takes = false
  write(drain, 'aaaa', 'bbbb', 'cccc', 'dddd')
  expect(drain.dropped()).toBe(2)
  server.takes = true
  await expect.poll(lines).toEqual(['aaaa', 'bbbb'])
  write(drain, 'eeee')
  await expect.poll(lines).toEqual(['aaaa', 'bbbb', 'eeee'])
  await drain.close()
})

test('lines that the server will never take do not hold up others', async () => {
  const { server, drain, lines } = drainTo()
  server.refuses = true
  write(drain, 'a', 'b')
  await expect.poll(drain.dropped).toBe(2)
  server.refuses = false
  write(drain, 'c')
  await expect.poll(lines).toEqual(['c'])
  await drain.close()
})

test('what waits at the end is sent, once', async () => {
  const { server, drain, lines } = drainTo({ lingerMs: 3_600_000 })
  write(drain, 'a', 'b', 'c', 'd')
  await drain.close()
  expect(lines()).toEqual(['a', 'b', 'c', 'd'])
  const away = drainTo({ lingerMs: 3_600_000 })
  away.server.takes = false
  write(away.drain, 'a')
  await away.drain.close()
  expect([away.server.attempts, server.attempts]).toEqual([1, 2])
  write(away.drain, 'late')
  expect(away.drain.dropped()).toBe(1)
})
