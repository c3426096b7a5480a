import { tmpdir } from 'node:os'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newest, startForeign } from '../../server/test/foreign-server.ts'
import { startClickHouse } from '../support/clickhouse-server.ts'
import { command, freePort, runProgram, startProduct } from '../support/product.ts'

test('engines by URL that a newer version has written are refused by name, each before anything is changed there', async () => {
  const [server, clickhouseUrl] = [await startForeign(newest, ['wal_level=logical']), await startClickHouse()]
  onTestFinished(() => server.stop())
  const databaseUrl = `postgresql://boss:secret@127.0.0.1:${server.port}/postgres`
  const env = { CLEW_DATABASE_URL: databaseUrl, CLEW_CLICKHOUSE_URL: clickhouseUrl }
  const product = await startProduct({ env })
  const { dataDir } = product
  onTestFinished(() => product.close())
  await product.stop()
  const refused = async () => {
    const ports = ['--port', '0', '--console-port', String(await freePort()), '--db-port', '0']
    return runProgram(command, ['start', '--data', dataDir, ...ports], tmpdir(), env)
  }
  const inClickHouse = async (text: string) => {
    const answer = await fetch(clickhouseUrl, { method: 'POST', body: text })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  }
  await inClickHouse(`insert into clew.migrations (room, name) values ('replay', '0900_next.sql')`)
  const ofClickHouse = await refused()
  expect(ofClickHouse).toMatchObject({ code: 23, stderr: expect.stringContaining('CLEW_START_NEWER_DATA') })
  for (const words of ['The database of ClickHouse', 'clickhouse/replay/0900_next'])
    expect(ofClickHouse.stderr).toContain(words)

  await inClickHouse(`alter table clew.migrations delete where name = '0900_next.sql' settings mutations_sync = 1`)
  const client = new pg.Client(databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`insert into clew.migrations (room, version, name, hash) values ('notes', '0900', 'next', '')`)
  const ofPostgres = await refused()
  expect(ofPostgres).toMatchObject({ code: 23, stderr: expect.stringContaining('CLEW_START_NEWER_DATA') })
  for (const words of ['The database of PostgreSQL', 'postgres/notes/0900_next'])
    expect(ofPostgres.stderr).toContain(words)
})
