import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../test/harness.ts'
import { openRestApp, type RestApp } from '../../../test/rest-app.ts'

let db: TestDatabase
let opened: RestApp

beforeAll(async () => {
  db = await openTestDatabase()
  await db.load('bookshop.sql')
  await db.load('warehouse.sql')
  opened = await openRestApp(db, {
    txEnd: 'rollback-allow-override',
    aggregatesEnabled: true,
    planEnabled: true,
    maxRows: 50,
  })
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
  'info->>-1',
  'info->"a b"->0',
  'tags->0',
  'printed->lower',
  'siblings',
  'words',
  'authors',
  'authors.name',
  'latest_book.id',
  'books.shelves.name',
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
  'imatch(any)',
  'gte(all)',
  'match',
  'plfts(simple)',
  'phfts',
  'sr',
  'nxl',
  'nxr',
  'not.eq',
  'not.in',
  'not.is',
  'not.fts(english)',
  'not.not.eq',
  'nope',
)
const filter = fc
  .tuple(column, operator, value)
  .map(
    ([name, op, text]) =>
      `${encodeURIComponent(name)}=${op}.${encodeURIComponent(op.endsWith('in') ? `(${text})` : text)}`,
  )
const tree = fc
  .tuple(
    fc.constantFrom('or', 'and', 'not.or', 'not.and', 'authors.or', 'authors.not.and', 'books.shelves.or', 'nope.or'),
    fc.constantFrom('', 'and', 'not.or'),
    column,
    operator,
    value,
  )
  .map(([key, inner, name, op, text]) => {
    const condition = `${name}.${op}.${text}`
    return `${key}=${encodeURIComponent(`(${inner === '' ? condition : `${inner}(${condition},id.gt.0)`},id.eq.1)`)}`
  })
const truth = fc
  .tuple(
    fc.constantFrom('authors', 'shelves', 'author_id', 'siblings'),
    fc.constantFrom('is', 'not.is'),
    fc.oneof(fc.constantFrom('null', 'NULL', 'not_null', 'true', 'unknown'), fc.string()),
  )
  .map(([name, op, word]) => `${name}=${op}.${encodeURIComponent(word)}`)
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
    '...shelves(ids:id,...books(title))',
    '...authors(name,born.max(),books(id))',
    '...authors()',
    'latest_book(*)',
    'siblings!inner(id,covers(url))',
    'sales(amount.sum(),year)',
    'readers!loans(name,...reviews(stars))',
    'readers(*)',
    'authors!author_id!left(name)',
    'authors!inner!books_author_id_fkey(*)',
    'writer:author_id(name)',
    'covers(*,books(*))',
    'price.avg()::int',
    'n:price::text.count()',
    'info->>a::int',
    'count',
    'words',
    '"a.b":id',
  ),
  fc.string(),
)
const select = fc.array(item, { maxLength: 4 }).map((items) => `select=${encodeURIComponent(items.join(','))}`)
const order = fc
  .oneof(
    column,
    fc.constantFrom(
      'authors(name).desc',
      'id.asc.nullslast',
      'authors(name->x).nullsfirst',
      'shelves(name)',
      'info->>a.desc,id',
      'words',
    ),
    fc.string(),
  )
  .map((text) => `order=${encodeURIComponent(text)}`)
const range = fc
  .tuple(
    fc.constantFrom('limit', 'offset', 'authors.limit', 'shelves.offset', 'nope.limit'),
    fc.oneof(fc.integer().map(String), fc.string()),
  )
  .map(([key, text]) => `${key}=${encodeURIComponent(text)}`)
const query = fc
  .array(fc.oneof(filter, tree, truth, select, order, range, fc.string()), { maxLength: 5 })
  .map((parts) => parts.join('&'))

const places = [
  'books',
  'priced_books',
  'sales',
  'items',
  'paints',
  'rpc/authors_after',
  'rpc/joined',
  'rpc/table_of',
  'rpc/sized',
  'rpc/readers_of',
]

const accept = fc.oneof(
  fc.constantFrom(
    '*/*',
    'application/json',
    'text/csv',
    'text/plain',
    'application/vnd.list',
    'application/vnd.pgrst.object+json',
    'application/vnd.pgrst.array+json;nulls=stripped',
    'application/vnd.pgrst.plan+json; for="text/csv"; options=verbose|settings|x;',
    'text/csv;q=0.1, x/y;q=nope, application/json;q=0.5',
  ),
  fc.stringMatching(/^[ -~]{0,20}$/),
)
const preference = fc
  .array(
    fc.constantFrom(
      'count=exact',
      'count=planned',
      'count=estimated',
      'handling=strict',
      'max-affected=0',
      'max-affected=x',
      'timezone=UTC',
      'timezone=Nowhere/Land',
      'return=representation',
      'tx=rollback',
      'odd=1',
    ),
    { maxLength: 3 },
  )
  .map((parts) => parts.join(', '))
const rowRange = fc.constantFrom('', '0-1', '3-', '5-2', '99999999999999999999-', 'x-y')

const urlOf = (place: string, text: string): string =>
  `/rest/v1/${place}?${text.replace(/[^\x21-\x7e]|#/g, (character) => encodeURIComponent(character.charCodeAt(0) > 0xd7ff ? ' ' : character))}`

const isPlan = (header: string): boolean => header.includes('pgrst.plan')

test('no request is answered by a 500, twice the same, and no value stands in SQL', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'DELETE', 'HEAD'),
      fc.constantFrom(...places),
      query,
      fc.record({ accept, prefer: preference, range: rowRange }),
      async (method, place, text, headers) => {
        opened.contexts.length = 0
        const url = urlOf(place, text)
        const ask = () =>
          opened.app.inject({ method: place.startsWith('rpc/') && method === 'DELETE' ? 'GET' : method, url, headers })
        const answer = await ask()
        expect({ url, headers, body: answer.body, is500: answer.statusCode === 500 }).toMatchObject({ is500: false })
        // The second time it is answered by its shape.
        const again = await ask()
        expect({ url, headers, status: again.statusCode }).toEqual({ url, headers, status: answer.statusCode })
        if (!isPlan(headers.accept)) expect({ url, body: again.body }).toEqual({ url, body: answer.body })
        for (const { text: statement } of opened.contexts.flatMap((context) => context.statements)) {
          expect(statement).not.toMatch(/zz[a-z]{3}[0-9]{6}/)
        }
      },
    ),
    { numRuns: 250 },
  )
})

test.each([
  ['embeds', (depth: number) => `categories?select=${'categories('.repeat(depth)}id${')'.repeat(depth)}`],
  ['spreads', (depth: number) => `categories?select=${'...parent_id('.repeat(depth)}id${')'.repeat(depth)}`],
  ['conditions', (depth: number) => `books?select=id&and=${'(or'.repeat(depth - 1)}(id.gt.0)${')'.repeat(depth - 1)}`],
])('%s nest to a limit, and beyond it are refused', async (_what, query) => {
  const ask = async (depth: number) => (await opened.app.inject({ url: `/rest/v1/${query(depth)}&limit=1` })).statusCode
  expect(await ask(100)).toBe(200)
  expect([await ask(101), await ask(1_000)]).toEqual([400, 400])
})

const json = fc.oneof(
  fc.json(),
  fc.string(),
  fc.constantFrom(
    '{}',
    '[]',
    '[{},{}]',
    '[{"id":1},{"name":2}]',
    'null',
    '{"id":"zz"}',
    '{"id":1,"name":"\\u0000"}',
    '{"id":9,"shade":"#00"}',
    '{"id":9,"shade":{"a":1}}',
    '{"publisher":"acme","code":1,"title":"x"}',
    '{"label":"x","amounts":[1,"y"]}',
    '{"box":[1,2],"arr":{"a":1},"spans":"x"}',
    'id,name\n1,"x',
    'id=1&id=2&name=%zz',
  ),
)

test('no body is answered by a 500', async () => {
  const queries = [
    '',
    'columns=id,name',
    'columns=id,word,rating,doc',
    'columns="x y"',
    'on_conflict=nope',
    'on_conflict=publisher,code',
    'id=eq.1',
    'publisher=eq.acme&code=eq.1',
    'select=id,books(*)',
    'select=shade::text,...volumes(id)&order=shade',
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('POST', 'PATCH', 'PUT'),
      fc.constantFrom(
        '/rest/v1/shelves',
        '/rest/v1/items',
        '/rest/v1/series',
        '/rest/v1/paints',
        '/rest/v1/crates',
        '/rest/v1/rpc/add',
        '/rest/v1/rpc/whole',
        '/rest/v1/rpc/total',
        '/rest/v1/rpc/shout',
        '/rest/v1/rpc/first_of',
      ),
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
    { numRuns: 200 },
  )
})
