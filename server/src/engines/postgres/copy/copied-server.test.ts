import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { getPriority, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import { startServer } from '../server/embedded-server.ts'
import { openCopiedServer } from './copied-server.ts'

test('the server’s process that reads the files comes after requests as far as the one that copies them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-copied-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const socketDir = await mkdtemp(join(tmpdir(), 'clew-s-'))
  onTestFinished(() => rm(socketDir, { recursive: true }))
  const place = { kind: 'embedded', dataDir: join(folder, 'data'), socketDir, port: null, password: '' } as const
  const running = await startServer({ ...place, log: () => undefined, poolSize: 0 })
  onTestFinished(() => running.stop())
  const server = await openCopiedServer(socketDir)
  onTestFinished(server.close)
  const pids = async (type: string): Promise<readonly number[]> => {
    const statement = compile(sql`select pid from pg_catalog.pg_stat_activity where backend_type = ${type}`)
    return (await server.query<{ pid: number }>(statement)).map(({ pid }) => pid)
  }

  const before = getPriority()
  const sessionPriority = existsSync('/proc/self/autogroup') ? 0 : null
  // Only root may go back.
  setPriority(before + 1)
  let found: readonly Priorities[] | null = null
  try {
    await server.takeBaseBackup('test', async () => {
      found ??= (await pids('walsender')).map(prioritiesOf)
    })
  } finally {
    if (process.getuid?.() === 0) setPriority(before)
  }
  expect(found).toEqual([{ process: before + 1, session: sessionPriority === null ? null : before + 1 }])
  expect((await pids('checkpointer')).map(prioritiesOf)).toEqual([{ process: before, session: sessionPriority }])
})

interface Priorities {
  readonly process: number
  /** Null where the system does not share a processor between sessions. */
  readonly session: number | null
}

const prioritiesOf = (pid: number): Priorities => ({ process: getPriority(pid), session: sessionPriorityOf(pid) })

/** `/proc/7/autogroup` is as `/autogroup-9 nice 0`. */
function sessionPriorityOf(pid: number): number | null {
  const path = `/proc/${pid}/autogroup`
  return existsSync(path) ? Number(readFileSync(path, 'utf8').trim().split(' ').at(-1)) : null
}
