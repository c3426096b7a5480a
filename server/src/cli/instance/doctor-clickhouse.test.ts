import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../test/harness.ts'
import { oddProfile, serveWithProfile } from '../../../test/profiled-clickhouse.ts'
import { type ClickHouse, createClickHouse } from '../../engines/clickhouse/index.ts'
import { checkServer, judgeServers } from './doctor-clickhouse.ts'

/** A server by URL: each connection leads to the next of these sockets. */
async function serve(...sockets: readonly string[]): Promise<string> {
  let connections = 0
  const server = createServer((outer) => {
    const inner = connect(sockets[connections++ % sockets.length] ?? '')
    outer.pipe(inner).pipe(outer)
    outer.on('error', () => inner.destroy())
    inner.on('error', () => outer.destroy())
    outer.on('close', () => inner.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const socketOf = ({ address }: ClickHouse): string => (address.kind === 'embedded' ? address.socketPath : '')

const databasesOf = async (clickhouse: ClickHouse): Promise<readonly unknown[]> =>
  clickhouse.query({ text: `select name from system.databases where name like 'clew%'`, parameters: {} })

test('a server of ClickHouse is looked at, and all tables are made on it where that is asked for, and removed', async ({
  clickhouse,
}) => {
  const url = await serve(socketOf(clickhouse))
  expect(await checkServer(url, false)).toEqual([
    { about: 'ClickHouse', problem: null, note: expect.stringMatching(/^\d+\.\d+\S*, one server$/) },
  ])
  const [, tables] = await checkServer(url, true)
  expect(tables).toEqual({
    about: 'tables of ClickHouse',
    problem: null,
    note: 'made, written, changed and removed in a database of their own',
  })
  expect(await databasesOf(clickhouse)).toEqual([{ name: 'clew' }])
})

test('all tables are made where the profile of the login changes what statements mean', async ({ clickhouse }) => {
  const url = await serveWithProfile(clickhouse, oddProfile)
  expect((await checkServer(url, true)).map(({ problem }) => problem)).toEqual([null, null])
})

test('an address that leads to several servers is refused', async ({ clickhouse }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-doctor-'))
  const second = createClickHouse({
    ...{ kind: 'embedded', dataDir: join(folder, 'data'), socketPath: join(folder, 's') },
    ...{ memoryBytes: 300 * 1024 * 1024, log: () => undefined },
  })
  onTestFinished(async () => {
    await second.close()
    await rm(folder, { recursive: true, force: true })
  })
  await second.ready()
  const [found] = await checkServer(await serve(socketOf(clickhouse), socketOf(second)), true)
  expect(found).toMatchObject({ about: 'ClickHouse', problem: '2 servers answer at clickhouse_url' })
})

test('a server that is not there, and a login that may not make tables, are told with their reason', async ({
  clickhouse,
}) => {
  const gone = createServer()
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const { port } = gone.address() as AddressInfo
  await new Promise<void>((resolve) => gone.close(() => resolve()))
  expect(await checkServer(`http://127.0.0.1:${port}`, true)).toEqual([
    {
      about: 'ClickHouse',
      problem: expect.stringContaining('ECONNREFUSED'),
      note: expect.stringContaining('clickhouse_url'),
    },
  ])
  const url = `${await serve(socketOf(clickhouse))}?clickhouse_setting_readonly=2`
  const [, tables] = await checkServer(url, true)
  expect(tables).toMatchObject({ about: 'tables of ClickHouse', problem: expect.stringMatching(/readonly/i) })
})

test.each([
  ['24.7.9.1', 'this is 24.7.9.1'],
  ['23.12.1.1', 'this is 23.12.1.1'],
  ['24.8.1.1', null],
  ['26.1.2.3', null],
])('a server of version %s: %s', (version, problem) => {
  expect(judgeServers({ version, servers: 1 }).problem).toBe(problem)
})
