import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { pino } from 'pino'
import { expect } from 'vitest'
import { consolePlugin, createConsoleServer, createProxyCheck } from '../src/gateway/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { noOthers } from '../src/ground/model/topic.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { planAgents } from '../src/plan/reach/agents.ts'
import { type McpSettings, mcpSettings } from '../src/services/mcp/index.ts'
import { createOperators, operatorsPlugin, operatorsService, operatorsTables } from '../src/services/operators/index.ts'
import { sqlEditorService, sqlEditorSettings, sqlEditorTables } from '../src/services/sql-editor/index.ts'
import { test as base } from './harness.ts'
import type { OperatorRole } from './operator-actions.ts'
import { operatorsDeps } from './operators-deps.ts'

const owner = { name: 'Ann', email: 'ann@example.com', password: 'a very good password' }
const log = pino({ level: 'silent' })

/** A console with the SQL editor, its owner, and the agents of an operator of a role. */
const test = base.extend('open', async ({ db, clickhouse }, { onCleanup }) => {
  await db.migrate('operators', operatorsTables.postgres)
  await db.migrate('sql-editor', sqlEditorTables.postgres)
  await db.load('create table public.orders (id int primary key); insert into orders select generate_series(1, 500)')
  const opened: (() => Promise<unknown>)[] = []
  onCleanup(async () => {
    for (const close of opened.toReversed()) await close()
  })
  return async (settings: Partial<McpSettings> = {}) => {
    const shared = { now: () => new Date(), newId: () => uuidv7(), log }
    const operators = await createOperators(operatorsDeps(db.admin))
    const sqlEditor = sqlEditorService({
      ...{ ...shared, sql: db.admin, reader: db.reader, editor: db.editor, clickhouse, topic: noOthers },
      ...{ actions: operators.actions, settings: readSettings(sqlEditorSettings, []).values },
    })
    const { agents, parts } = planAgents(
      { mcp: { ...readSettings(mcpSettings, []).values, ...settings } },
      shared,
      operators,
      (incoming, outgoing) => server.routing(incoming, outgoing),
    )
    const server = await createConsoleServer({
      ...shared,
      api: consolePlugin({
        open: operatorsPlugin(operators),
        guard: operators.guard,
        parts: [...operatorsService(operators, log).console, ...sqlEditor.console, ...parts],
        facts: { version: '0' } as never,
        health: async () => [],
        changed: () => undefined,
      }),
      inbox: { prefix: '/inbox', plugin: async () => undefined },
      agents,
      ...{ folder: '/nowhere', assetOrigins: [], trustedProxies: [], proxyCheck: createProxyCheck(log) },
    })
    await server.listen({ port: 0, host: '127.0.0.1' })
    opened.push(sqlEditor.close, () => server.close())
    const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
    const setup = { ...owner, token: await operators.setupLink() }
    const call = (path: string, body: object, cookie = '') =>
      fetch(`${origin}/console/api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(body),
      })
    const cookie = (await call('/setup', setup)).headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const makeToken = async (purpose: 'agent' | 'command line') =>
      ((await (await call('/access/tokens', { name: 'agent', purpose, days: 1 }, cookie)).json()) as { token: string })
        .token
    const setRole = (role: OperatorRole) =>
      db.admin.query({ text: 'update clew_operators.operators set role = $1', values: [role] })
    const connect = async (token: string) => {
      const client = new Client({ name: 'test', version: '1' })
      const requestInit = { headers: { authorization: `Bearer ${token}` } }
      await client.connect(
        // The SDK's own types differ under `exactOptionalPropertyTypes`.
        new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }) as Transport,
      )
      opened.push(() => client.close())
      return client
    }
    return { origin, call, makeToken, setRole, connect, cookie }
  }
})

interface ToolResult {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
}

/** What a tool answers: its JSON, or the text of its error. */
async function use(client: Client, name: string, input: object) {
  const { isError, content } = (await client.callTool({ name, arguments: { ...input } })) as unknown as ToolResult
  const text = content[0]?.text ?? ''
  return isError === true ? { error: text } : JSON.parse(text)
}

const actionsText = `select action, target, operator_email as by, outcome, problem from clew_operators.actions
  where action like 'agent.%' or action like 'sql.%' order by at, id`

test('an agent reads by SQL as the console does, bounded, and each call is in the audit log', async ({ open, db }) => {
  const { makeToken, connect } = await open({ maxRows: 3 })
  const client = await connect(await makeToken('agent'))
  expect(client.getServerVersion()?.name).toBe('clew')
  expect(await use(client, 'run_sql', { sql: 'select id from orders order by id' })).toMatchObject({
    results: [{ rows: [['1'], ['2'], ['3']], more: true, columns: [{ name: 'id' }] }],
  })
  const refused = await use(client, 'run_sql', { sql: 'delete from orders' })
  expect(refused.failure).toMatchObject({ code: '25006', hint: expect.stringContaining('sql_writes') })
  expect(await use(client, 'run_sql', { sql: 'select count(*) from orders' })).toMatchObject({
    results: [{ rows: [['500']] }],
  })
  const by = owner.email
  expect((await db.admin.query({ text: actionsText, values: [] })).rows.slice(0, 2)).toEqual([
    { action: 'agent.run_sql', target: 'SQL in postgres', by, outcome: 'succeeded', problem: null },
    { action: 'sql.run', target: 'select id from orders order by id', by, outcome: 'succeeded', problem: null },
  ])
})

test('where the settings let agents write, what a statement changes is committed, for those who may', async ({
  open,
}) => {
  const { makeToken, connect } = await open({ sqlWrites: true })
  const client = await connect(await makeToken('agent'))
  expect(await use(client, 'run_sql', { sql: 'delete from orders where id > 100' })).toMatchObject({
    committed: true,
    changes: { tables: [{ table: 'orders', deleted: 400 }] },
  })
  expect(await use(client, 'run_sql', { sql: 'select count(*) from orders' })).toMatchObject({
    results: [{ rows: [['100']] }],
  })
})

test('a statement that takes too long is cancelled in the database', async ({ open, db }) => {
  const { makeToken, connect } = await open({ callSeconds: 0.5 })
  const client = await connect(await makeToken('agent'))
  expect((await use(client, 'run_sql', { sql: 'select pg_sleep(600)' })).error).toContain('CLEW_MCP_TOO_SLOW')
  const running = `select from pg_stat_activity where datname = current_database() and query like '%pg_sleep(600)%'
    and pid <> pg_backend_pid()`
  await expect.poll(async () => (await db.admin.query({ text: running, values: [] })).rowCount).toBe(0)
})

test('a long answer is cut, and says so', async ({ open }) => {
  const { makeToken, connect } = await open({ maxAnswerKib: 1 })
  const client = await connect(await makeToken('agent'))
  const { content } = (await client.callTool({
    name: 'run_sql',
    arguments: { sql: `select repeat('x', 5000)` },
  })) as unknown as ToolResult
  expect(content[0]?.text).toMatch(/^Cut: the first 1024 of \d+ characters/)
  expect(content[0]?.text.length).toBeLessThan(1200)
})

test('arguments that a tool does not have, and tools that are not there, are named', async ({ open }) => {
  const { makeToken, connect } = await open()
  const client = await connect(await makeToken('agent'))
  expect((await use(client, 'run_sql', { query: 'select 1' })).error).toContain('no argument query; there are: sql')
  expect((await use(client, 'run_sql', {})).error).toContain('lack sql')
  expect((await use(client, 'run_sql', { sql: 'select 1', engine: 'oracle' })).error).toContain('engine')
  expect((await use(client, 'drop_everything', {})).error).toContain('CLEW_MCP_NO_TOOL')
})

test('an agent has its operator’s role as it is now: an analyst no SQL, a viewer nothing', async ({ open }) => {
  const { makeToken, connect, setRole } = await open()
  const client = await connect(await makeToken('agent'))
  const names = async () => (await client.listTools()).tools.map(({ name }) => name)
  // The other tools' rooms are not part of this console.
  expect(await names()).toEqual(['run_sql'])
  for (const role of ['analyst', 'viewer'] as const) {
    await setRole(role)
    expect(await names()).toEqual([])
    expect((await use(client, 'run_sql', { sql: 'select 1' })).error).toContain('CLEW_MCP_NO_TOOL')
  }
})

test('a token opens what it was made for, and nothing else', async ({ open }) => {
  const { origin, makeToken, connect, call, setRole, cookie } = await open()
  const [agent, commandLine] = [await makeToken('agent'), await makeToken('command line')]
  const statusOf = async (path: string, token: string) =>
    (await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await statusOf('/console/api/instance', agent)).toBe(403)
  expect(await statusOf('/console/api/sql/runs', agent)).toBe(403)
  expect(await statusOf('/mcp', agent)).toBe(405)
  expect(await statusOf('/mcp', commandLine)).toBe(403)
  expect(await statusOf('/mcp', `clew_pat_${randomUUID()}`)).toBe(401)
  await expect(connect(commandLine)).rejects.toThrow('CLEW_OPERATORS_TOKEN_REFUSED')
  expect((await fetch(`${origin}/mcp`, { method: 'POST', body: '{}' })).status).toBe(401)
  await setRole('analyst')
  const make = async (purpose: string) =>
    (await call('/access/tokens', { name: 'mine', purpose, days: 1 }, cookie)).status
  expect([await make('agent'), await make('command line')]).toEqual([201, 403])
  await setRole('viewer')
  expect(await make('agent')).toBe(403)
})

test('what no agent sends is refused, a batch waits as other calls do, and the next message is answered', async ({
  open,
}) => {
  const { origin, makeToken } = await open({ maxCalls: 2 })
  const headers = {
    ...{ authorization: `Bearer ${await makeToken('agent')}`, 'content-type': 'application/json' },
    accept: 'application/json, text/event-stream',
  }
  const post = (body: string) => fetch(`${origin}/mcp`, { method: 'POST', headers, body })
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  for (const [what, body, status] of [
    ['nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400],
    ['no end', '{"jsonrpc":"2.0"', 400],
    ['names of objects', '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}', 400],
    ['many elements', `[${'1,'.repeat(100_000)}1]`, 400],
    ['a batch too large', JSON.stringify(Array.from({ length: 101 }, () => ping)), 400],
    ['a text too long', JSON.stringify({ ...ping, params: { text: 'x'.repeat(300_000) } }), 413],
  ] as const)
    expect([what, (await post(body)).status]).toEqual([what, status])
  const call = (id: number) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name: 'run_sql', arguments: { sql: `select ${id}, pg_sleep(0.05)` } },
  })
  const answers = (await (await post(JSON.stringify(Array.from({ length: 50 }, (_, id) => call(id))))).json()) as {
    readonly id: number
    readonly result: ToolResult
  }[]
  expect(answers.map(({ id }) => id).toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 50 }, (_, id) => id),
  )
  const busy = answers.filter(({ result }) => result.content[0]?.text.startsWith('CLEW_MCP_BUSY'))
  expect(busy).toHaveLength(46)
  expect((await post(JSON.stringify(ping))).status).toBe(200)
})
