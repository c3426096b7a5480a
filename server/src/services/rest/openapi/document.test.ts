import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/harness.ts'
import { openRestApp, type RestApp } from '../../../../test/rest-app.ts'

let db: TestDatabase
const opened: RestApp[] = []

beforeAll(async () => {
  db = await openTestDatabase(8)
  await db.load('edge.sql')
})

afterAll(async () => {
  for (const one of opened) await one.close()
  await db.close()
})

/** What the tests look into of a document. */
interface Document {
  readonly info: object
  readonly definitions: Readonly<Record<string, { readonly properties: Readonly<Record<string, Property>> }>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Property {
  readonly description: string
}

interface Operation {
  readonly parameters: readonly { readonly schema: object }[]
}

async function describeApi(settings: object = {}, headers: Readonly<Record<string, string>> = {}) {
  const app = await openRestApp(db, { ...settings })
  opened.push(app)
  const answer = await app.app.inject({ method: 'GET', url: '/rest/v1/', headers })
  return { answer, document: answer.json() as Document }
}

describe('17 the description of the API', () => {
  let document: Document
  let answer: Awaited<ReturnType<typeof describeApi>>['answer']
  beforeAll(async () => {
    ;({ answer, document } = await describeApi())
  })

  test('is OpenAPI 2.0, told by its type', () => {
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/openapi+json; charset=utf-8',
      vary: 'Accept, Prefer, Range',
    })
    expect(document).toMatchObject({ swagger: '2.0', host: '0.0.0.0:3000', basePath: '/', schemes: ['http'] })
  })

  test('has its title and description from the comment on the schema', () => {
    expect(document.info).toMatchObject({ title: 'Library', description: 'Books and who reads them.' })
  })

  test('defines the rows of a relation', () => {
    expect(document.definitions.readers).toEqual({
      type: 'object',
      description: 'Readers\n\nPeople who read.',
      required: ['id', 'name', 'tags'],
      properties: {
        id: { format: 'int32', type: 'integer', description: 'Note:\nThis is a Primary Key.<pk/>' },
        name: {
          format: 'character varying',
          type: 'string',
          maxLength: 20,
          default: 'nobody',
          description: 'As on the card',
        },
        mood: { format: 'public.mood', type: 'string', enum: ['glad', 'sad'], default: 'glad' },
        nick: { format: 'character varying', type: 'string', maxLength: 5 },
        tags: { format: 'text[]', type: 'array', items: { type: 'string' } },
        extra: { format: 'jsonb' },
        score: { format: 'numeric', type: 'number', default: 4.5 },
        active: { format: 'boolean', type: 'boolean', default: true },
      },
    })
  })

  test('names foreign keys, of one-to-one relationships too, and not from their other side', () => {
    const note = "Note:\nThis is a Foreign Key to `readers.id`.<fk table='readers' column='id'/>"
    expect(document.definitions.cards?.properties.reader_id?.description).toBe(note)
    expect(document.definitions.loans?.properties.reader_id?.description).toBe(note)
    expect(document.definitions.loans?.properties.due).toEqual({
      format: 'date',
      type: 'string',
      default: '2030-01-01',
    })
    expect(document.definitions.readers?.properties.id?.description).not.toContain('Foreign Key')
  })

  test('has a path a relation, with parameters, and writes where they are possible', () => {
    const path = document.paths['/readers_names'] ?? {}
    expect(Object.keys(path).sort()).toEqual(['delete', 'get', 'patch', 'post'])
    expect(path.get).toEqual({
      tags: ['readers_names'],
      parameters: [
        'rowFilter.readers_names.id',
        'rowFilter.readers_names.name',
        'select',
        'order',
        'range',
        'rangeUnit',
        'offset',
        'limit',
        'preferCount',
      ].map((name) => ({ $ref: `#/parameters/${name}` })),
      responses: {
        200: { description: 'OK', schema: { type: 'array', items: { $ref: '#/definitions/readers_names' } } },
        206: { description: 'Partial Content' },
      },
    })
    expect(Object.keys(document.paths['/counts'] ?? {})).toEqual(['get'])
    expect(document.paths['/readers']?.get).toMatchObject({ summary: 'Readers', description: 'People who read.' })
  })

  test('refers to nothing that it does not define', () => {
    const references = JSON.stringify(document).match(/"#\/[^"]+"/g) ?? []
    expect(references.length).toBeGreaterThan(50)
    const rooms: Readonly<Record<string, object>> = { ...document }
    for (const reference of new Set(references)) {
      const [, room = '', name = ''] = JSON.parse(reference).split('/')
      expect(Object.keys(rooms[room] ?? {}), reference).toContain(name)
    }
  })

  test('has a path a function, called by GET only where it does not write', () => {
    expect(Object.keys(document.paths['/rpc/before_each'] ?? {})).toEqual(['post'])
    expect(document.paths['/rpc/greet']?.get).toEqual({
      tags: ['(rpc) greet'],
      summary: 'Greets',
      description: 'Somebody, somehow.',
      produces: [
        'application/json',
        'application/vnd.pgrst.object+json;nulls=stripped',
        'application/vnd.pgrst.object+json',
      ],
      parameters: [
        { name: 'name', required: true, in: 'query', format: 'text', type: 'string' },
        { name: 'greeting', required: false, in: 'query', format: 'text', type: 'string' },
        {
          name: 'more',
          required: false,
          in: 'query',
          type: 'array',
          items: { type: 'string', format: 'text' },
          collectionFormat: 'multi',
        },
      ],
      responses: { 200: { description: 'OK' } },
    })
    expect(document.paths['/rpc/greet']?.post?.parameters[0]?.schema).toMatchObject({
      type: 'object',
      required: ['name'],
      properties: { more: { format: 'text[]', type: 'array', items: { type: 'string' } } },
    })
  })

  test('leaves out what the role may not use, and security where it is off', () => {
    expect(document.paths).not.toHaveProperty('/hidden')
    expect(document.paths).not.toHaveProperty('/rpc/locked')
    expect(document).not.toHaveProperty('security')
    expect(document).not.toHaveProperty('securityDefinitions')
  })
})

test('17 what the role may use follows the role', async () => {
  const { document } = await describeApi({}, { authorization: 'Bearer service_role' })
  expect(document.paths).toHaveProperty('/hidden')
})

test('17 privileges may be ignored, security told, and the address be a proxy’s', async () => {
  const { document } = await describeApi({
    openapiMode: 'ignore-privileges',
    openapiSecurityActive: true,
    openapiServerProxyUri: 'https://shop.test/base',
  })
  expect(document.paths).toHaveProperty('/hidden')
  expect(document.paths).toHaveProperty('/rpc/locked')
  expect(document).toMatchObject({
    host: 'shop.test:443',
    basePath: '/base',
    schemes: ['https'],
    security: [{ JWT: [] }],
    securityDefinitions: { JWT: { type: 'apiKey', name: 'Authorization', in: 'header' } },
  })
})

test('17 another schema is described by its profile', async () => {
  const { answer, document } = await describeApi(
    { schemas: ['public', 'other Schema'] },
    { 'accept-profile': 'other Schema' },
  )
  expect(answer.headers['content-profile']).toBe('other Schema')
  expect(Object.keys(document.definitions)).toEqual(['things'])
})

test.each([
  ['HEAD', 'application/openapi+json', 200],
  ['GET', 'application/json', 200],
  ['GET', '*/*', 200],
  ['GET', 'text/csv', 406],
] as const)('17 %s with Accept: %s answers %i', async (method, accept, status) => {
  const app = await openRestApp(db)
  opened.push(app)
  const answer = await app.app.inject({ method, url: '/rest/v1/', headers: { accept } })
  expect(answer.statusCode).toBe(status)
  if (method === 'HEAD') expect(answer.headers['content-length']).toBeUndefined()
})

test('17 no description at all', async () => {
  const { answer } = await describeApi({ openapiMode: 'disabled' })
  expect(answer.statusCode).toBe(404)
  expect(answer.json()).toEqual({
    code: 'PGRST126',
    details: null,
    hint: null,
    message: 'Root endpoint metadata is disabled',
  })
})

test('17 a function of one’s own at the root, as plain JSON', async () => {
  const { answer, document } = await describeApi({ rootSpec: 'public.document' })
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(document).toEqual({ swagger: 'ours' })
})
