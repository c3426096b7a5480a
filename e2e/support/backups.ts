import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@supabase/supabase-js'
import { onTestFinished } from 'vitest'
import ws from 'ws'
import type { Product } from './product.ts'
import { type Acknowledged, insertRow, sendEvents } from './ticks.ts'

/** More by hand: `CLEW_TRIALS=20`. */
export const rounds = Math.min(20, Number(process.env.CLEW_TRIALS ?? 1))
/** A backup has a passphrase in each of these tests. */
export const env = { CLEW_BACKUP_PASSPHRASE: 'a passphrase of a test' }
/** A busy machine takes minutes for a backup; the disk of a test is not large, and a session shows 5000 events and calls. */
const maxFiles = 200
const maxEvents = 3000
const maxRows = 1500
export const roundMs = 600_000

/** What is written without a pause until `stop`, or until the test ends; what was answered before a moment is known then. */
export function load(product: Product, token: string, sessionId: string, firstN: number) {
  const acknowledged: Acknowledged = { rows: [], events: [] }
  let isOver = false
  let n = firstN
  const storage = storageOf(product).from('kept')
  const files: string[] = []
  const writers = [
    async () => {
      if (acknowledged.rows.length === maxRows) return
      n += 1
      await insertRow(product, n, { token, sessionId }, acknowledged)
    },
    async () => {
      if (acknowledged.events.length < maxEvents) await sendEvents(product, sessionId, acknowledged)
    },
    async () => {
      if (files.length === maxFiles) return
      const name = `${sessionId}/${files.length}`
      const { error } = await storage.upload(name, Buffer.from(name.repeat(2000)))
      if (error !== null) throw error
      files.push(name)
    },
  ].map(async (write) => {
    while (!isOver) {
      await write()
      // As many as a busy application has, and not as many as the machine can.
      await pause(20)
    }
  })
  // Told by `stop`.
  for (const writer of writers) writer.catch(() => undefined)
  onTestFinished(() => {
    isOver = true
  })
  return {
    acknowledged,
    files,
    async stop(): Promise<void> {
      isOver = true
      await Promise.all(writers)
    },
  }
}

export const storageOf = ({ apiUrl, secretKey }: Product) =>
  createClient(apiUrl, secretKey, { realtime: { transport: ws } }).storage

/** What `clew backup verify --json` prints. */
export interface Verified {
  readonly isGood: boolean
  readonly checks: readonly { readonly name: string; readonly detail: string; readonly problem: string | null }[]
}
