import type pg from 'pg'
import { type Login, openClient } from '../connection/connections.ts'

const retryMs = 1_000

/** Called when an advisory lock is taken, and when the connection that holds it is lost. */
export interface LockEvents {
  readonly onHeld: () => void
  readonly onLost: () => void
}

/**
 * Takes a session's advisory lock on a connection of its own and keeps it while that lives; tries every second
 * while another session holds it. Returns the function that lets it go.
 */
export async function holdLock(
  login: Login,
  key: number,
  { onHeld, onLost }: LockEvents,
): Promise<() => Promise<void>> {
  let client: pg.Client | null = null
  let held = false
  let closed = false
  let timer: NodeJS.Timeout | null = null

  const connect = async (): Promise<pg.Client> => {
    const fresh = await openClient(login, 'clew lock')
    fresh.once('end', () => {
      if (client === fresh) client = null
      if (held) {
        held = false
        if (!closed) onLost()
      }
      again()
    })
    client = fresh
    return fresh
  }

  const attempt = async (): Promise<void> => {
    const taking = client ?? (await connect())
    const { rows } = await taking.query<{ taken: boolean }>('select pg_catalog.pg_try_advisory_lock($1) as taken', [
      key,
    ])
    if (closed) await taking.end()
    else if (rows[0]?.taken === true) {
      held = true
      onHeld()
    } else again()
  }

  const again = (): void => {
    if (closed || timer !== null) return
    timer = setTimeout(() => {
      timer = null
      attempt().catch(again)
    }, retryMs)
  }

  await attempt().catch(again)
  return async () => {
    closed = true
    if (timer !== null) clearTimeout(timer)
    await client?.end()
  }
}
