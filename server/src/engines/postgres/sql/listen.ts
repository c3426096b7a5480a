import type pg from 'pg'
import { messageOf } from '../../../ground/errors/message.ts'
import { quoteIdentifier } from '../../../ground/sql/postgres.ts'
import type { Login } from '../connection/connections.ts'
import { openClient } from '../connection/connections.ts'

const firstPauseMs = 50
const longestPauseMs = 5_000

export interface ListenOptions {
  /** Whether to retry when the first connection fails, which throws otherwise. */
  readonly patient?: boolean
  /** Called when the connection is lost or cannot be made. */
  readonly onLost?: ((reason: string) => void) | undefined
}

/**
 * Listens on a channel by a connection of its own, which reconnects with growing pauses.
 *
 * @param onConnect called after each (re)connection: notifications in between were missed
 * @returns the function that stops listening
 */
export async function listen(
  login: Login,
  channel: string,
  onNotify: (payload: string) => void,
  onConnect?: () => void,
  { patient = false, onLost }: ListenOptions = {},
): Promise<() => Promise<void>> {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let closed = false
  let pauseMs = firstPauseMs

  const connect = async (): Promise<void> => {
    const fresh = await openClient(login, `clew listen ${channel}`)
    fresh.on('notification', (message) => onNotify(message.payload ?? ''))
    fresh.once('end', () => {
      if (client === fresh) {
        client = null
        if (!closed) onLost?.('the connection was lost')
      }
      again()
    })
    try {
      await fresh.query(`listen ${quoteIdentifier(channel)}`)
    } catch (error) {
      await fresh.end()
      throw error
    }
    if (closed) {
      await fresh.end()
      return
    }
    client = fresh
    pauseMs = firstPauseMs
    onConnect?.()
  }

  const failed = (error: unknown): void => {
    onLost?.(messageOf(error))
    again()
  }

  const again = (): void => {
    if (closed || timer !== null) return
    timer = setTimeout(() => {
      timer = null
      connect().catch(failed)
    }, pauseMs)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }

  const stop = async (): Promise<void> => {
    closed = true
    if (timer !== null) clearTimeout(timer)
    await client?.end()
  }

  try {
    await connect()
  } catch (error) {
    if (!patient) {
      // The end of the connection has begun a retry, which the caller could not stop.
      await stop()
      throw error
    }
    failed(error)
  }
  return stop
}
