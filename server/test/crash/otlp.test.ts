import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { kill, live } from './life.ts'

/** Thirty by `npm run trials`. */
const kills = Number(process.env.CLEW_TRIALS ?? 3)

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0')

test(
  `every span and log record that was answered is stored exactly once, through ${kills} kills`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clew-otlp-crash-'))
    const acknowledged = new Set<string>()
    let ended = false
    let life = await live('test/crash/otlp-process', folder)

    /** Sends batches, each with the same body until it is answered, as exporters do. */
    const send = async (kind: 'spans' | 'logs', sender: number, size: number): Promise<void> => {
      for (let next = 1; !ended; next += size) {
        const names = Array.from({ length: size }, (_, index) => `${kind}-${sender}-${next + index}`)
        const body = JSON.stringify(kind === 'spans' ? spansOf(names, sender, next) : logsOf(names))
        const path = kind === 'spans' ? '/v1/traces' : '/v1/logs'
        let answered = false
        while (!answered && !ended) {
          answered = await fetch(`${life.address}${path}`, {
            method: 'POST',
            headers: { apikey: 'crash', 'content-type': 'application/json' },
            body,
          }).then(
            ({ status }) => status === 200,
            () => false,
          )
          if (!answered) await delay(5)
        }
        if (answered) for (const name of names) acknowledged.add(name)
      }
    }

    try {
      const senders = [send('spans', 1, 1), send('spans', 2, 40), send('logs', 3, 7)]
      for (let death = 0; death < kills; death += 1) {
        const before = acknowledged.size
        // A life in which something was answered.
        await expect.poll(() => acknowledged.size, { interval: 5, timeout: 20_000 }).toBeGreaterThan(before + 50)
        await kill(life)
        life = await live('test/crash/otlp-process', folder)
      }
      ended = true
      await Promise.all(senders)
      const rows = (await (await fetch(`${life.address}/rows`)).json()) as { name: string; times: string }[]
      const stored = new Map(rows.map(({ name, times }) => [name, Number(times)]))
      expect([...acknowledged].filter((name) => stored.get(name) !== 1)).toEqual([])
      expect([...stored.values()].every((times) => times === 1)).toBe(true)
    } finally {
      ended = true
      await kill(life)
      await rm(folder, { recursive: true, force: true })
    }
  },
  60_000 + kills * 20_000,
)

const spansOf = (names: readonly string[], sender: number, next: number) => ({
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: names.map((name, index) => ({
            ...{ name, traceId: hex(sender, 32), spanId: hex(next + index, 16), startTimeUnixNano: nanos() },
            attributes: [{ key: 'filler', value: { stringValue: 'x'.repeat(200) } }],
          })),
        },
      ],
    },
  ],
})

const logsOf = (names: readonly string[]) => ({
  resourceLogs: [
    { scopeLogs: [{ logRecords: names.map((name) => ({ timeUnixNano: nanos(), body: { stringValue: name } })) }] },
  ],
})

const nanos = (): string => `${Date.now()}000000`
