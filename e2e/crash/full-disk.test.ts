import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claimOwner } from '../support/console-api.ts'
import { mayMount, mount, unmount } from '../support/disk.ts'
import { startProduct, until } from '../support/product.ts'
import {
  type Acknowledged,
  createTicks,
  eventsOf,
  inDatabase,
  insertRow,
  sendEvents,
  signUp,
} from '../support/ticks.ts'

const mib = 1024 ** 2

/** Takes what is free of a disk, down to its last page. */
async function fill(file: string): Promise<void> {
  for (let size = 64 * mib; size >= 4096; size /= 2) {
    const piece = Buffer.alloc(size, 1)
    const written = (): Promise<boolean> =>
      writeFile(file, piece, { flag: 'a' }).then(
        () => true,
        () => false,
      )
    while (await written());
  }
}

test.runIf(mayMount)(
  'a disk that fills up while it runs: writes are refused, nothing acknowledged is lost, and with room it goes on (needs to mount one)',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'clew-full-'))
    mount(dataDir, 'size=900m')
    await chmod(dataDir, 0o755)
    try {
      const product = await startProduct({ dataDir })
      const api = await claimOwner(product)
      await inDatabase(product, (client) => client.query(createTicks))
      const token = await signUp(product)
      const sessionId = randomUUID()
      const acknowledged: Acknowledged = { rows: [], events: [] }
      const refusals: string[] = []
      const diskState = async () =>
        (await api.get<{ engines: readonly { name: string; state: string }[] }>('/instance')).engines.find(
          ({ name }) => name === 'disk',
        )
      let n = 0
      const write = async (): Promise<void> => {
        n += 1
        await Promise.all(
          [insertRow(product, n, { token, sessionId }, acknowledged), sendEvents(product, sessionId, acknowledged)].map(
            (one) => one.catch((error: unknown) => refusals.push(String(error))),
          ),
        )
      }
      for (let i = 0; i < 20; i += 1) await write()
      expect(refusals).toEqual([])
      const filler = join(dataDir, 'filler')
      await fill(filler)
      // The files hold some room that they have taken before: many small writes until it is used.
      await until(async () => {
        for (let i = 0; i < 20; i += 1) await write()
        return ['53100', 'CLEW_INGEST_UNWRITABLE'].every((code) => refusals.some((one) => one.includes(code)))
      }, 60_000)
      for (const refusal of refusals) expect(refusal).toContain('Error: 503')
      expect(await diskState()).toMatchObject({ state: 'down' })

      await rm(filler)
      refusals.length = 0
      const before = { rows: acknowledged.rows.length, events: acknowledged.events.length }
      await until(async () => {
        await write()
        return acknowledged.rows.length > before.rows && acknowledged.events.length > before.events
      })
      const { rows } = await inDatabase(product, (client) => client.query<{ n: number }>('select n from public.ticks'))
      const stored = new Set(rows.map((row) => row.n))
      expect(stored.size).toBe(rows.length)
      expect(acknowledged.rows.filter((row) => !stored.has(row.n))).toEqual([])
      let seen: readonly string[] = []
      await until(async () => {
        seen = await eventsOf(api, sessionId)
        return acknowledged.events.every((uuid) => seen.includes(uuid))
      })
      expect(seen.length).toBe(new Set(seen).size)
      await until(async () => (await diskState())?.state !== 'down')
      expect(await product.stop()).toBe(0)
    } finally {
      unmount(dataDir)
      await rm(dataDir, { recursive: true, force: true })
    }
  },
)
