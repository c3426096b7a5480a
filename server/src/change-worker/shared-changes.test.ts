import { describe, expect } from 'vitest'
import { type BusWorld, busForms } from '../../test/bus.ts'
import { openOn, type TestDatabase, test } from '../../test/harness.ts'
import { joined, openRealtime, type RealtimeApp } from '../../test/realtime-app.ts'
import { type Bus, tellEnded } from '../engines/bus/index.ts'
import type { Postgres } from '../engines/postgres/index.ts'
import { shareChanges } from './index.ts'

interface Node {
  readonly postgres: Postgres
  /** Ids of the rows that a socket of this node heard of, in their order. */
  readonly heard: string[]
  /** How often that socket was told that it hears row changes. */
  joins(): number
  readonly app: RealtimeApp
  /** Before the test ends: the next reader of the stream would hold the database. */
  close(): Promise<void>
}

/** Realtime on a bus, with a change stream of its own on the one database, and a socket that listens to `notes`. */
async function openNode(db: TestDatabase, bus: Bus, nodeSeconds = 10): Promise<Node> {
  const postgres = await openOn(db)
  const changes = shareChanges({
    bus,
    nodeSeconds,
    subscribe: postgres.changes.subscribe,
    log: () => undefined,
    nowMs: () => performance.now(),
  })
  const { subscribe, onMissed } = changes
  const app = await openRealtime(db, { bus, nodeSeconds, subscribe, onMissed })
  const heard: string[] = []
  const channel = app.client().channel('any')
  let joins = 0
  const told = new Promise((resolve) =>
    channel.on('system', {}, (system) => {
      joins += 1
      resolve(system)
    }),
  )
  channel.on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notes' }, (change) =>
    heard.push(`${change.new.id} ${change.new.title}`),
  )
  expect(await joined(channel)).toEqual({ status: 'SUBSCRIBED' })
  expect(await told).toMatchObject({ status: 'ok' })
  return {
    postgres,
    heard,
    joins: () => joins,
    app,
    async close() {
      await changes.close()
      await postgres.close()
    },
  }
}

const table = `
  create table notes (id int primary key, title text);
  alter publication supabase_realtime add table notes`
const insert = (db: TestDatabase, id: number) => db.load(`insert into notes values (${id}, 'n${id}')`)
const rows = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index} n${from + index}`)

/** One of two nodes reads, and the other waits. */
async function roles(nodes: readonly Node[]): Promise<{ readonly holder: Node; readonly other: Node }> {
  const detailOf = ({ postgres }: Node) => postgres.changes.health().detail
  const [holds, waits] = ['Reads row changes', 'waits to take over']
  await expect
    .poll(() => nodes.map(detailOf).sort(), { timeout: 10_000 })
    .toEqual([expect.stringContaining(waits), expect.stringContaining(holds)])
  const find = (text: string): Node => nodes.find((node) => detailOf(node).includes(text)) ?? missing()
  return { holder: find(holds), other: find(waits) }
}

function missing(): never {
  throw new Error('There is no such node.')
}

describe.each(Object.entries(busForms))('two nodes on one database, the bus %s', (_, open) => {
  test('row changes reach the sockets of both once and in order, also when the other takes the slot over', async ({
    db,
  }) => {
    await db.load(table)
    const world: BusWorld = await open()
    const nodes = [await openNode(db, await world.connect()), await openNode(db, await world.connect())]
    const { other } = await roles(nodes)
    for (let id = 1; id <= 20; id += 1) await insert(db, id)
    for (const { heard } of nodes) await expect.poll(() => heard).toEqual(rows(1, 20))
    // In the middle of a stream of changes, the reader loses its connection.
    const writing = (async () => {
      for (let id = 21; id <= 60; id += 1) await insert(db, id)
    })()
    await db.admin.query({
      text: 'select pg_terminate_backend(active_pid) from pg_replication_slots where database = current_database()',
      values: [],
    })
    await writing
    for (const { heard } of nodes) await expect.poll(() => heard, { timeout: 10_000 }).toEqual(rows(1, 60))
    expect(other.postgres.changes.health().detail).toContain('Reads row changes')
    await Promise.all(nodes.map((node) => node.close()))
  })
})

test('a node that is told to have ended does not hold the others up', async ({ db }) => {
  await db.load(table)
  const { connect } = await (busForms['in the process'] ?? missing)()
  const bus = await connect()
  const nodes = [await openNode(db, bus, 3600), await openNode(db, await connect(), 3600)]
  await roles(nodes)
  await insert(db, 1)
  for (const { heard } of nodes) await expect.poll(() => heard).toEqual(rows(1, 1))
  // As a process that is killed: it says nothing more, and its connections break.
  const [gone, left] = nodes
  await bus.close()
  await gone?.postgres.close()
  tellEnded(await connect(), bus.node)
  await insert(db, 2)
  await expect.poll(() => left?.heard, { timeout: 10_000 }).toEqual(rows(1, 2))
  await left?.close()
})

/** A bus whose node can be cut off: it neither says nor hears anything. */
function cuttable(bus: Bus): Bus & { isCut: boolean } {
  const cut: Bus & { isCut: boolean } = {
    ...bus,
    isCut: false,
    publish(subject, encode) {
      if (!cut.isCut) bus.publish(subject, encode)
    },
    subscribe: (subject, handle) => bus.subscribe(subject, (message) => (cut.isCut ? undefined : handle(message))),
  }
  return cut
}

test('sockets whose node missed row changes are closed, and their clients hear the next ones', async ({ db }) => {
  await db.load(table)
  const { connect } = await (busForms['in the process'] ?? missing)()
  const buses = [cuttable(await connect()), cuttable(await connect())]
  const nodes: Node[] = []
  for (const bus of buses) nodes.push(await openNode(db, bus, 1))
  const { holder, other } = await roles(nodes)
  const bus = buses[nodes.indexOf(other)] ?? missing()
  await insert(db, 1)
  for (const { heard } of nodes) await expect.poll(() => heard).toEqual(rows(1, 1))
  const [near, far] = [await holder.app.socket(), await other.app.socket()]
  bus.isCut = true
  await insert(db, 2)
  await expect.poll(() => holder.heard, { timeout: 10_000 }).toEqual(rows(1, 2))
  // Nothing waits for the other any more, and this one passes it by.
  await insert(db, 3)
  await expect.poll(() => holder.heard, { timeout: 10_000 }).toEqual(rows(1, 3))
  bus.isCut = false
  expect(await far.next()).toEqual({ code: 1001, reason: 'Changes were missed: join again' })
  await expect.poll(() => other.joins(), { timeout: 10_000 }).toBe(2)
  await insert(db, 4)
  await expect.poll(() => other.heard.at(-1), { timeout: 10_000 }).toBe('4 n4')
  near.send([null, '1', 'phoenix', 'heartbeat', {}])
  expect(await near.next()).toMatchObject([null, '1', 'phoenix', 'phx_reply', { status: 'ok' }])
  await Promise.all(nodes.map((node) => node.close()))
})
