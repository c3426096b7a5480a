import { createServer } from 'node:http'
import pg from 'pg'
import { type BatchedQuery, type Connection, sendBatch } from './floor-batch.ts'

/**
 * The minimal server for these requests: a bare Node HTTP handler over `pg` that sends role, claims and query in one batch,
 * with JSON made in PostgreSQL. No keys, no parsing of filters, no policies, no request record.
 * Started as `floor.ts <connection string> <pool size>`; prints its port.
 */
const [connectionString = '', size = '10'] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: Number(size) })

interface Route {
  readonly text: string
  readonly values: (query: URLSearchParams, body: string) => readonly string[]
}

const jsonOf = (rows: string): string => `select coalesce(json_agg(t), '[]')::text as body from (${rows}) t`
const insert = jsonOf('select * from rows')
const intoRows =
  'with rows as (insert into public.bench_rows (name, quantity) select name, quantity from json_to_recordset($1) as r(name text, quantity int) returning *)'

/** Two levels; what is embedded is cast as a whole, where its text must be `jsonb`'s. */
const embedded = (cast: string): string =>
  jsonOf(`select a.id, a.name, (
      select coalesce(json_agg(b), '[]')${cast} from (
        select b.id, b.title, (
          select coalesce(json_agg(c), '[]') from (
            select c.id, c.title from public.bench_chapters c where c.book_id = b.id
          ) c
        ) as bench_chapters from public.bench_books b where b.author_id = a.id
      ) b
    ) as bench_books from public.bench_authors a where a.id > $1 order by a.id limit $2`)

const routes: Readonly<Record<string, Route>> = {
  '/key': {
    text: jsonOf('select * from public.bench_items where id = $1'),
    values: (query) => [query.get('id') ?? '0'],
  },
  '/list': {
    text: jsonOf('select * from public.bench_items where id > $1 order by id limit $2'),
    values: (query) => [query.get('id') ?? '0', '100'],
  },
  '/embed': { text: embedded(''), values: (query) => [query.get('id') ?? '0', '10'] },
  '/embed-jsonb': { text: embedded('::jsonb'), values: (query) => [query.get('id') ?? '0', '10'] },
  '/own': { text: jsonOf('select * from public.bench_notes order by id limit $1'), values: () => ['100'] },
  '/insert': { text: `${intoRows} ${insert}`, values: (_query, body) => [`[${body}]`] },
  '/bulk': { text: `${intoRows} select count(*)::text as body from rows`, values: (_query, body) => [body] },
  '/call': {
    text: `select public.bench_price((($1)::json->>'item')::bigint, (($1)::json->>'quantity')::int)::text as body`,
    values: (_query, body) => [body],
  },
}

async function answer(route: string, query: URLSearchParams, body: string): Promise<string> {
  const found = routes[route]
  if (found === undefined) throw new Error(`No route ${route}.`)
  const owner = query.get('owner')
  const role = owner === null ? 'anon' : 'authenticated'
  const claims = JSON.stringify(owner === null ? { role } : { role, sub: owner })
  const settings: BatchedQuery = {
    name: 'settings',
    text: "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)",
    values: [role, claims],
  }
  const client = await pool.connect()
  try {
    // The pool's client has the connection that a Submittable writes to; pg's types leave it out.
    return await sendBatch(client as unknown as Connection, [
      settings,
      { name: route, text: found.text, values: found.values(query, body) },
    ])
  } finally {
    client.release()
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const url = request.url ?? ''
    const mark = url.indexOf('?')
    const path = mark === -1 ? url : url.slice(0, mark)
    answer(path, new URLSearchParams(mark === -1 ? '' : url.slice(mark)), Buffer.concat(chunks).toString()).then(
      (body) => {
        response.writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
        })
        response.end(body)
      },
      (error: unknown) => {
        response.writeHead(500)
        response.end(String(error))
      },
    )
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : ''}\n`)
})
