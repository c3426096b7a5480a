import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../test/harness.ts'
import { openRestApp, type RestApp } from '../../../test/rest-app.ts'

let db: TestDatabase
let opened: RestApp

beforeAll(async () => {
  db = await openTestDatabase()
  await db.load('bookshop.sql')
  opened = await openRestApp(db, { tx_end: 'rollback', aggregates_enabled: true })
})

afterAll(async () => {
  await opened.close()
  await db.close()
})

const column = fc.constantFrom(
  'id',
  'title',
  'tags',
  'info',
  'printed',
  'price',
  'nope',
  '"a.b"',
  'info->a->>b',
  'tags->0',
)
const marker = fc.stringMatching(/^[a-z]{3}[0-9]{6}$/).map((text) => `zz${text}`)
const odd = fc.oneof(
  fc.string(),
  fc.constantFrom("'", '"', '\\', '--', ';', '%00', '{', '}', '(', '$1', ',,', ')(', '*'),
)
const value = fc.tuple(odd, marker, odd).map((parts) => parts.join(''))
const operator = fc.constantFrom(
  'eq',
  'neq',
  'gt',
  'like',
  'ilike',
  'match',
  'in',
  'is',
  'isdistinct',
  'fts',
  'fts(english)',
  'wfts',
  'cs',
  'cd',
  'ov',
  'sl',
  'adj',
  'eq(any)',
  'like(all)',
  'not.eq',
  'not.in',
  'nope',
)
const filter = fc
  .tuple(column, operator, value)
  .map(
    ([name, op, text]) =>
      `${encodeURIComponent(name)}=${op}.${encodeURIComponent(op.endsWith('in') ? `(${text})` : text)}`,
  )
const tree = fc
  .tuple(fc.constantFrom('or', 'and', 'not.or', 'authors.or'), column, operator, value)
  .map(([key, name, op, text]) => `${key}=${encodeURIComponent(`(${name}.${op}.${text},id.eq.1)`)}`)
const item = fc.oneof(
  column,
  fc.constantFrom(
    '*',
    'count()',
    'id.sum()',
    'price::int',
    'x:title',
    'authors(name)',
    '...authors(name)',
    'shelves!inner(*)',
    'covers()',
    'title::evil',
    'authors(books(count()))',
    '...shelves(name)',
  ),
  fc.string(),
)
const select = fc.array(item, { maxLength: 4 }).map((items) => `select=${encodeURIComponent(items.join(','))}`)
const order = fc
  .oneof(column, fc.constantFrom('authors(name).desc', 'id.asc.nullslast'), fc.string())
  .map((text) => `order=${encodeURIComponent(text)}`)
const range = fc
  .tuple(fc.constantFrom('limit', 'offset', 'authors.limit'), fc.oneof(fc.integer().map(String), fc.string()))
  .map(([key, text]) => `${key}=${encodeURIComponent(text)}`)
const query = fc
  .array(fc.oneof(filter, tree, select, order, range, fc.string()), { maxLength: 5 })
  .map((parts) => parts.join('&'))

const places = ['/rest/v1/books', '/rest/v1/priced_books', '/rest/v1/rpc/authors_after', '/rest/v1/rpc/joined']

test('no query string is answered by a 500, and no value stands in SQL', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'DELETE', 'HEAD'),
      fc.constantFrom(...places),
      query,
      async (method, place, text) => {
        opened.works.length = 0
        const url = `${place}?${text.replace(/[^\x21-\x7e]|#/g, (character) => encodeURIComponent(character.charCodeAt(0) > 0xd7ff ? ' ' : character))}`
        const answer = await opened.app.inject({
          method: place.includes('/rpc/') && method === 'DELETE' ? 'GET' : method,
          url,
        })
        expect({ url, body: answer.body, is500: answer.statusCode === 500 }).toMatchObject({ is500: false })
        for (const { text: statement } of opened.works.flatMap((work) => work.statements)) {
          expect(statement).not.toMatch(/zz[a-z]{3}[0-9]{6}/)
        }
      },
    ),
    { numRuns: 400 },
  )
}, 60_000)

const json = fc.oneof(
  fc.json(),
  fc.string(),
  fc.constantFrom('{}', '[]', '[{},{}]', '[{"id":1},{"name":2}]', 'null', '{"id":"zz"}', '{"id":1,"name":"\\u0000"}'),
)

test('no body is answered by a 500', async () => {
  const queries = ['', 'columns=id,name', 'columns="x y"', 'on_conflict=nope', 'id=eq.1', 'select=id,books(*)']
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('POST', 'PATCH', 'PUT'),
      fc.constantFrom('/rest/v1/shelves', '/rest/v1/rpc/add', '/rest/v1/rpc/whole'),
      fc.constantFrom(...queries),
      fc.constantFrom('application/json', 'text/csv', 'application/x-www-form-urlencoded', 'text/plain', 'nonsense'),
      fc.constantFrom(
        'return=representation',
        'missing=default',
        'resolution=merge-duplicates,return=headers-only',
        'x=y',
      ),
      json,
      async (method, place, text, type, prefer, payload) => {
        const answer = await opened.app.inject({
          method,
          url: `${place}?${text}`,
          headers: { 'content-type': type, prefer },
          payload,
        })
        expect({ body: answer.body, is500: answer.statusCode === 500 }).toMatchObject({ is500: false })
      },
    ),
    { numRuns: 300 },
  )
}, 60_000)
