import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimOwner, joinTeam } from '../support/console-api.ts'
import { type Product, startProduct } from '../support/product.ts'

interface Schema {
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly minimum?: number
  readonly minItems?: number
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly $ref?: string
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

// The product's own OpenAPI document, which `npm run check` compares with its routes.
const document = JSON.parse(
  readFileSync(new URL('../../docs/reference/console-api.json', import.meta.url), 'utf8'),
) as Document

/** A value of a schema, the smallest that it allows; patterns are not looked at. */
function sampleOf(schema: Schema): unknown {
  if (schema.$ref !== undefined) return sampleOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf?.[0] !== undefined) return sampleOf(schema.anyOf[0])
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]),
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items ?? {}))
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return schema.format === 'uuid'
        ? '00000000-0000-7000-8000-000000000000'
        : schema.format === 'date-time'
          ? '2026-01-02T03:04:05.000Z'
          : 'one'
  }
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
  methods.flatMap((method) => {
    const operation = operations[method]
    return operation === undefined ? [] : [{ name: `${method.toUpperCase()} ${path}`, path, method, operation }]
  }),
)

/** What an operator of any role does: sign in and out, and keep their own access in order; and what a link opens to all. */
const own = /^\w+ \/console\/api\/(?:session|setup|invitation|access|shared)(?:\/|$)/
/** What the frame around every screen shows. */
const ofTheFrame = ['GET /console/api/instance']

let product: Product
const cookies = new Map<string, string>()
beforeAll(async () => {
  product = await startProduct()
  const api = await claimOwner(product)
  for (const role of ['developer', 'analyst', 'viewer'])
    cookies.set(role, await joinTeam(product, api, { email: `${role}@example.test`, role }))
}, 120_000)
afterAll(async () => {
  await product?.close()
})

async function ask(role: string, { path, method, operation }: (typeof routes)[number]): Promise<number> {
  const query = new URLSearchParams()
  let address = path
  for (const { name, in: place, required, schema } of operation.parameters ?? []) {
    const value = String(sampleOf(schema))
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value))
    else if (place === 'query' && required) query.set(name, value)
  }
  const json = operation.requestBody?.content['application/json']
  const answer = await fetch(`${new URL(product.consoleUrl).origin}${address}?${query}`, {
    method: method.toUpperCase(),
    headers: {
      cookie: cookies.get(role) ?? '',
      origin: new URL(product.consoleUrl).origin,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(sampleOf(json.schema)) }),
  })
  await answer.arrayBuffer()
  return answer.status
}

/** The routes that do not refuse a role, with what they answer; a body or a parameter of a wrong shape opens nothing. */
async function opened(role: string, asked: typeof routes): Promise<readonly string[]> {
  const answers: string[] = []
  for (const route of asked) {
    const status = await ask(role, route)
    if (status !== 403 && status !== 400) answers.push(`${route.name}: ${status}`)
  }
  return answers
}

describe('the console’s API', () => {
  const foreign = routes.filter(({ name }) => !own.test(name))

  test('opens to a viewer nothing but the frame', async () => {
    expect(await opened('viewer', foreign)).toEqual(ofTheFrame.map((name) => `${name}: 200`))
  }, 120_000)

  test('lets an analyst look, and neither change a thing nor read a row, a file or a secret', async () => {
    const answers = await opened('analyst', foreign)
    // To estimate is to count and to verify is to compare, though both are asked by POST; a view and a note are the analyst's own.
    const harmless = /\/estimate: |\/certificates\/verify: |\/session-views|\/console\/api\/notes/
    expect(answers.filter((each) => !each.startsWith('GET ') && !harmless.test(each))).toEqual([])
    expect(
      answers.filter((each) => /data\/.*\/(?:rows|history|changes)|\/content|\/thumbnail|reveal|vault/.test(each)),
    ).toEqual([])
    expect(answers).toContain('GET /console/api/sessions: 200')
  }, 120_000)

  test('keeps the team, secrets and the audit log from a developer', async () => {
    const asked = foreign.filter(({ name }) => /\/team\/|\/reveal|\/actions/.test(name))
    expect(asked.length).toBeGreaterThan(5)
    expect(await opened('developer', asked)).toEqual([])
  }, 120_000)

  test('asks for a sign-in first', async () => {
    const statuses = new Set<number>()
    for (const route of foreign) statuses.add(await ask('signed out', route))
    expect([...statuses]).toEqual([401])
  }, 120_000)
})
