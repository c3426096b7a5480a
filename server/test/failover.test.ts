import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChangeStream, createPostgres, readChanges } from '../src/engines/postgres/index.ts'
import type { ChangeTransaction } from '../src/ground/model/change.ts'
import { ask, type ForeignServer, startForeign, startStandby, versions } from './foreign-server.ts'

const settings = ['wal_level=logical']

/** Its processes are stopped and answer nothing, as on a machine that is gone; or killed. */
const ends = ['killed', ...(process.env.CLEW_TRIALS === undefined ? [] : (['silent'] as const))] as const

describe.for(versions.slice(-1).flatMap((version) => ends.map((end) => [end, version] as const)))(
  'a primary that is %s, and its standby promoted (%s)',
  ([end, binDir]) => {
    let primary: ForeignServer
    let standby: ForeignServer
    let changes: ChangeStream & { close(): Promise<void> }
    const logged: string[] = []
    const seen: ChangeTransaction[] = []
    const ids = () => seen.flatMap((transaction) => transaction.changes.map(({ key }) => key.id))
    const urlOf = (port: number) => `postgresql://boss:secret@127.0.0.1:${port}/postgres`

    beforeAll(async () => {
      primary = await startForeign(binDir, settings)
      const url = urlOf(primary.port)
      const db = await createPostgres({
        kind: 'external',
        url,
        log: () => undefined,
        exposedSchemas: ['public'],
        poolSize: 2,
      })
      await db.script('create table notes (id int primary key, title text)')
      await db.settle()
      await db.close()
      standby = await startStandby(primary, settings)
    })
    afterAll(async () => {
      await changes?.close()
      await standby?.stop()
      await primary?.stop()
    })

    test('the stream begins anew on the other server, behind all that it read, and says what is missing', async () => {
      const hosts = [primary, standby].map(({ port }) => ({ host: '127.0.0.1', port }))
      const connectionString = urlOf(primary.port)
      const login = { connectionString, hosts, targetSession: 'read-write' as const, connectionTimeoutMillis: 2_000 }
      changes = readChanges({ login }, (line) => logged.push(line))
      changes.subscribe(async (transaction) => void seen.push(transaction))
      await expect.poll(() => changes.health().state).toBe('up')
      await ask(urlOf(primary.port), `insert into notes values (1, 'on both')`)
      await expect.poll(ids).toEqual(['1'])
      await expect.poll(() => ask(urlOf(standby.port), 'select id from notes')).toEqual([{ id: 1 }])

      // What the primary commits from now on is on no other server: the standby's log begins before it.
      await ask(urlOf(standby.port), `alter system set primary_conninfo = ''`)
      await ask(urlOf(standby.port), 'select pg_reload_conf()')
      await expect.poll(() => ask(urlOf(standby.port), 'select pid from pg_stat_wal_receiver')).toEqual([])
      for (const id of [2, 3]) await ask(urlOf(primary.port), `insert into notes select ${id}, repeat('x', 100000)`)
      await expect.poll(ids).toEqual(['1', '2', '3'])

      await primary.crash(end)
      await ask(urlOf(standby.port), 'select pg_promote()')
      await ask(urlOf(standby.port), `insert into notes values (4, 'before the stream is there')`)
      await expect.poll(() => changes.health().state, { timeout: 60_000 }).toBe('degraded')
      await ask(urlOf(standby.port), `insert into notes values (5, 'seen')`)
      await expect.poll(ids).toEqual(['1', '2', '3', '5'])

      const places = seen.map(({ lsn }) =>
        lsn
          .split('/')
          .map((part) => part.padStart(8, '0'))
          .join('/'),
      )
      expect(places).toEqual([...places].sort())
      expect(new Set(places).size).toBe(places.length)
      const [gap, ...others] = await changes.gaps()
      expect(others).toEqual([])
      expect(gap?.reason).toContain('timeline 2 after timeline 1')
      expect(gap?.fromLsn).toEqual(expect.any(String))
      expect(changes.health().detail).toContain('are missing: Another server took the place')
      expect(logged.filter((line) => line.includes('missing from histories'))).toHaveLength(1)
    })
  },
)
