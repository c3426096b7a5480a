import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import ws from 'ws'
import { type ConsoleApi, consoleApi, joinTeam, signInOwner } from './support/console-api.ts'
import { command } from './support/product.ts'
import { type SharedProduct, sharedCafe } from './support/shared.ts'

const roles = ['developer', 'analyst', 'viewer'] as const
type Role = (typeof roles)[number]

/** The tools that the guide names, in the first column of its table. */
const guide = readFileSync(new URL('../docs/guide/agents.md', import.meta.url), 'utf8')
const documented = [...guide.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? [])

/** A word that stands in one row only. */
const dish = `soup ${randomUUID()}`
let product: SharedProduct
let rowId: number
/** Agents over HTTP, by their operators' roles. */
const agents = new Map<Role, Client>()
const tokens = new Map<Role, string>()
/** What is closed at the end. */
const opened: Client[] = []

beforeAll(async () => {
  product = await sharedCafe()
  const owner = await signInOwner(product)
  for (const role of roles) {
    const token = await tokenOf(role, owner)
    tokens.set(role, token)
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    const url = new URL('/mcp', product.consoleUrl)
    agents.set(role, await connect(new StreamableHTTPClientTransport(url, { requestInit })))
  }
  const options = { auth: { persistSession: false }, realtime: { transport: ws } }
  const client = createClient(product.apiUrl, product.serviceRoleKey, options)
  const row = { category_id: 1, name: dish, price_cents: 450 }
  const { data } = await client.from('products').insert(row).select('id').single().throwOnError()
  rowId = data?.id
})
afterAll(() => Promise.all(opened.map((client) => client.close())))

/** A token of an operator with a role; a viewer has theirs from before, since they make none. */
async function tokenOf(role: Role, owner: ConsoleApi): Promise<string> {
  const email = `${role}.${randomUUID()}@example.test`
  const joined = role === 'viewer' ? 'analyst' : role
  const api = consoleApi(product, await joinTeam(product, owner, { email, role: joined }))
  const { token } = await api.post<{ token: string }>('/access/tokens', { name: 'agent', purpose: 'agent', days: 1 })
  if (joined === role) return token
  const { members } = await owner.get<{ members: { id: string; email: string }[] }>('/team')
  await owner.patch(`/team/members/${members.find((member) => member.email === email)?.id}`, { role })
  return token
}

async function connect(transport: Parameters<Client['connect']>[0] | StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport as Parameters<Client['connect']>[0])
  opened.push(client)
  return client
}

async function use(client: Client | undefined, name: string, input: object = {}) {
  const { content = [], isError } = (await client?.callTool({ name, arguments: { ...input } })) ?? {}
  const text = (content as { text: string }[])[0]?.text ?? ''
  return isError === true ? { error: text } : JSON.parse(text)
}

const namesOf = async (client: Client | undefined) => (await client?.listTools())?.tools.map(({ name }) => name) ?? []

/** The request that made the row, once its change is stored. */
async function requestOfRow(): Promise<string> {
  const key = JSON.stringify({ id: String(rowId) })
  const history = { schema: 'public', table: 'products', key }
  const found = async () => (await use(agents.get('developer'), 'row_history', history)).entries ?? []
  await expect.poll(async () => (await found()).length).toBeGreaterThan(0)
  const [entry] = (await found()) as { change: object; cause: { requestId: string } }[]
  expect(JSON.stringify(entry?.change)).toContain(dish)
  return entry?.cause.requestId ?? ''
}

test('a developer’s agent follows a row to its request, asks why, and reads the schema', async () => {
  const agent = agents.get('developer')
  expect((await namesOf(agent)).toSorted()).toEqual(documented.toSorted())
  const id = await requestOfRow()
  const request = await use(agent, 'get_request', { id })
  expect(JSON.stringify(request)).toContain(dish)
  expect(JSON.stringify(await use(agent, 'list_requests', { table: 'public.products', limit: 500 }))).toContain(id)
  const asked = { method: 'GET', path: 'invoices', query: 'select=*', as: { kind: 'anon' } }
  expect(JSON.stringify(await use(agent, 'why', asked))).toContain('invoices')
  expect(JSON.stringify(await use(agent, 'describe_table', { schema: 'public', table: 'products' }))).toContain(
    'staff change products',
  )
  for (const name of ['list_tables', 'list_sessions', 'list_errors', 'list_flags'])
    expect((await use(agent, name)).error, name).toBeUndefined()
})

test('an analyst’s agent sees the request without a value of the row, and reads no row', async () => {
  const agent = agents.get('analyst')
  const request = await use(agent, 'get_request', { id: await requestOfRow() })
  expect(JSON.stringify(request)).toContain('products')
  expect(JSON.stringify(request)).not.toContain(dish)
  const offered = await namesOf(agent)
  expect(offered).toContain('list_sessions')
  expect(offered).not.toContain('run_sql')
  expect(offered).not.toContain('row_history')
})

test('a viewer’s agent is offered nothing', async () => {
  expect(await namesOf(agents.get('viewer'))).toEqual([])
  expect((await use(agents.get('viewer'), 'list_sessions')).error).toContain('CLEW_MCP_NO_TOOL')
})

test('over standard input and output an agent works on this machine, or on another with its token', async () => {
  const spawn = (args: readonly string[], env = {}) =>
    connect(
      new StdioClientTransport({
        ...{ command, args: ['mcp', ...args], stderr: 'ignore' },
        // The SDK's own choice leaves out where temporary files are, and with them the instance's sockets.
        env: { ...(process.env as Record<string, string>), ...env },
      }),
    )
  const here = await spawn(['--data', product.dataDir])
  expect((await namesOf(here)).toSorted()).toEqual(documented.toSorted())
  const found = await use(here, 'run_sql', { sql: `select name from products where id = ${rowId}` })
  expect(found.results[0].rows).toEqual([[dish]])
  const { origin } = new URL(product.consoleUrl)
  const afar = await spawn(['--url', origin], { CLEW_ACCESS_TOKEN: tokens.get('analyst') ?? '' })
  expect(await namesOf(afar)).toEqual(await namesOf(agents.get('analyst')))
})
