import type pg from 'pg'
import { quoteIdentifier } from '../../ground/sql/postgres.ts'
import type { Login } from './connections.ts'
import { openClient } from './connections.ts'

const firstPauseMs = 50
const longestPauseMs = 5_000

/**
 * Listens on a channel by a connection of its own, made anew with growing pauses when it breaks.
 *
 * @param onConnect called after each (re)connection: what was notified in between was missed
 * @returns what ends it; the first connection must succeed
 */
export async function listen(
  login: Login,
  channel: string,
  onNotify: (payload: string) => void,
  onConnect?: () => void,
): Promise<() => Promise<void>> {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let closed = false
  let pauseMs = firstPauseMs

  const connect = async (): Promise<void> => {
    const fresh = await openClient(login, `clew listen ${channel}`)
    fresh.on('notification', (message) => onNotify(message.payload ?? ''))
    fresh.on('error', () => undefined)
    fresh.once('end', () => {
      if (client === fresh) client = null
      again()
    })
    await fresh.query(`listen ${quoteIdentifier(channel)}`)
    if (closed) {
      await fresh.end()
      return
    }
    client = fresh
    pauseMs = firstPauseMs
    onConnect?.()
  }

  const again = (): void => {
    if (closed || timer !== null) return
    timer = setTimeout(() => {
      timer = null
      connect().catch(again)
    }, pauseMs)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }

  await connect()
  return async () => {
    closed = true
    if (timer !== null) clearTimeout(timer)
    await client?.end()
  }
}
