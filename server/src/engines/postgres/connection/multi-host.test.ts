import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import type { HostAddress, TargetSessionAttrs } from './connection-string.ts'
import { openClient, openPool } from './connections.ts'
import type { Login } from './multi-host.ts'

/** A port behind which the database is, and how often it was asked. */
interface Door {
  readonly place: HostAddress
  readonly asked: () => number
  shut(): Promise<void>
}

async function openDoor(db: TestDatabase): Promise<Door> {
  const { host, port } = db.login('postgres')
  let asked = 0
  const server: Server = createServer((socket) => {
    asked += 1
    const inner = connect(`${host}/.s.PGSQL.${port}`)
    socket.on('error', () => inner.destroy()).on('close', () => inner.destroy())
    inner.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.pipe(inner).pipe(socket)
  })
  const at = await freePort()
  server.listen(at, '127.0.0.1')
  await once(server, 'listening')
  const shut = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  onTestFinished(shut)
  return { place: { host: '127.0.0.1', port: at }, asked: () => asked, shut }
}

const loginAt = (
  db: TestDatabase,
  doors: readonly HostAddress[],
  targetSession: TargetSessionAttrs = 'any',
): Login => ({
  ...db.login('postgres'),
  hosts: doors,
  targetSession,
})

async function portOf(login: Login): Promise<number> {
  const client = await openClient(login, 'test')
  await client.end()
  return client.port
}

test('the first server that is there is taken', async ({ db }) => {
  const [first, second] = [await openDoor(db), await openDoor(db)]
  const nobody: HostAddress = { host: '127.0.0.1', port: await freePort() }
  expect(await portOf(loginAt(db, [first.place, second.place]))).toBe(first.place.port)
  expect(second.asked()).toBe(0)
  expect(await portOf(loginAt(db, [nobody, second.place]))).toBe(second.place.port)
  await expect(portOf(loginAt(db, [nobody, nobody]))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('a pool goes on by the second when the first is gone', async ({ db }) => {
  const [first, second] = [await openDoor(db), await openDoor(db)]
  const pool = openPool({ login: loginAt(db, [first.place, second.place]), size: 1, acquireTimeoutMs: 2_000 })
  onTestFinished(() => pool.end())
  const reached = async (): Promise<number> => {
    const client = await pool.connect()
    const { rows } = await client.query<{ one: number }>('select 1 as one')
    expect(rows).toEqual([{ one: 1 }])
    client.release(true)
    return client.port
  }
  expect(await reached()).toBe(first.place.port)
  await first.shut()
  expect(await reached()).toBe(second.place.port)
})

test('a server that refuses the login is not skipped', async ({ db }) => {
  const [first, second] = [await openDoor(db), await openDoor(db)]
  const nowhere = { ...loginAt(db, [first.place, second.place]), database: 'nowhere' }
  await expect(portOf(nowhere)).rejects.toBeInstanceOf(pg.DatabaseError)
  expect(second.asked()).toBe(0)
})

test('a server that never answers leaves time for the next', async ({ db }) => {
  const deaf = createServer().listen(await freePort(), '127.0.0.1')
  await once(deaf, 'listening')
  onTestFinished(() => {
    deaf.close()
  })
  const address = deaf.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const door = await openDoor(db)
  const login = loginAt(db, [{ host: '127.0.0.1', port: address.port }, door.place])
  const pool = openPool({ login, size: 1, acquireTimeoutMs: 1_000 })
  onTestFinished(() => pool.end())
  const client = await pool.connect()
  expect(client.port).toBe(door.place.port)
  client.release()
})

test('a server must be as it is wanted', async ({ db }) => {
  const { place } = await openDoor(db)
  for (const targetSession of ['primary', 'read-write', 'prefer-standby'] as const)
    expect(await portOf(loginAt(db, [place], targetSession))).toBe(place.port)
  for (const targetSession of ['standby', 'read-only'] as const)
    await expect(portOf(loginAt(db, [place], targetSession))).rejects.toThrow(`is not ${targetSession}`)
  await db.admin.query({ text: `alter database ${db.database} set default_transaction_read_only = on`, values: [] })
  expect(await portOf(loginAt(db, [place], 'read-only'))).toBe(place.port)
  await expect(portOf(loginAt(db, [place], 'read-write'))).rejects.toThrow('is not read-write')
})
