import { writeFile } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

/** Linux takes one such change in a tenth of a second of those who are not root (`kernel/sched/autogroup.c`). */
const againMs = 120
const mostTries = 5

/**
 * Gives the server's process of a connection the priority of this one. It reads, checks and sends every page of a copy, and
 * would otherwise get as much of the processor as requests. Linux shares a processor between sessions before it looks at
 * priorities (sched(7), "The autogroup feature"), and each process of PostgreSQL has its own: the session's is set too.
 */
export async function takePriority(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_catalog.pg_backend_pid() as pid')
  for (const { pid } of rows) {
    try {
      setPriority(pid, getPriority())
      await setSessionPriority(pid)
    } catch {
      // Another user's process, where neither is root: it is copied all the same.
    }
  }
}

async function setSessionPriority(pid: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await writeFile(`/proc/${pid}/autogroup`, String(getPriority()), { flag: 'r+' })
    } catch (error) {
      if (!isTooSoon(error) || tries === mostTries) throw error
    }
    await delay(againMs)
  }
}

const isTooSoon = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN'
