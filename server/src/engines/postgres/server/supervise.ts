import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../../ground/errors/message.ts'
import type { EmbeddedOptions } from '../options.ts'
import { type EmbeddedServer, startEmbedded, writeVaultKeys } from './embedded.ts'

/** An embedded server that is started again when it ends without being asked. */
export interface SupervisedServer {
  readonly socketDir: string
  readonly port: number
  readonly pid: () => number | null
  /** A sentence while it is not there: what happened, and that it is being started again. */
  readonly down: () => string | null
  /** Has the vault take its keys as they are now. */
  readonly renewVaultKeys: () => Promise<void>
  stop(): Promise<void>
}

const firstPauseMs = 100
const longestPauseMs = 10_000

/**
 * Starts PostgreSQL and stays with it: killed by the system for its memory, say, it recovers from its log and takes
 * connections on the same socket again. The first start's failure is thrown; later ones are tried again with longer
 * pauses.
 */
export async function superviseEmbedded(options: EmbeddedOptions): Promise<SupervisedServer> {
  let running = await startEmbedded(options)
  let trouble: string | null = null
  const stopping = new AbortController()

  const restart = async (): Promise<EmbeddedServer | null> => {
    for (let pauseMs = firstPauseMs; !stopping.signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        return await startEmbedded(options)
      } catch (error) {
        trouble = `PostgreSQL could not be started again: ${messageOf(error)}`
        options.log(`postgres: ${trouble}`)
        await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
    return null
  }

  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      trouble = await running.died
      options.log(`postgres: ${trouble} Starting it again.`)
      const next = await restart()
      if (next === null) return
      running = next
      trouble = null
    }
  }
  const watching = watch()

  return {
    socketDir: running.socketDir,
    port: running.port,
    pid: () => (trouble === null ? running.pid : null),
    down: () => trouble,
    renewVaultKeys: () => writeVaultKeys(options),
    async stop() {
      stopping.abort()
      // One that is just being started again is waited for, then stopped like any other.
      if (trouble !== null) await watching
      await running.stop()
    },
  }
}
