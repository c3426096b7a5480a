import { createServer } from 'node:http'
import pg from 'pg'
import { type Connection, type FlightQuery, fly } from './floor-flight.ts'

/**
 * The least that can answer the same requests: a bare Node HTTP handler over `pg` that sends role, claims and query in
 * one flight, JSON made in PostgreSQL. No keys, no parsing of filters, no policies of its own, no record.
 * Started as `floor.ts <connection string> <pool size>`; prints its port.
 */
const [connectionString = '', size = '10'] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: Number(size) })
const claims = JSON.stringify({ role: 'anon' })

const read = "select coalesce(json_agg(t), '[]')::text as body from (select * from public.bench_items where id = $1) t"
const insert =
  "with rows as (insert into public.bench_rows (name, quantity) select name, quantity from json_to_recordset($1) as r(name text, quantity int) returning *) select coalesce(json_agg(rows), '[]')::text as body from rows"

async function answer(query: FlightQuery): Promise<string> {
  const client = await pool.connect()
  try {
    // The pool's client has the connection that a Submittable writes to; pg's types leave it out.
    return await fly(client as unknown as Connection, [
      {
        name: 'settings',
        text: "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)",
        values: ['anon', claims],
      },
      query,
    ])
  } finally {
    client.release()
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const id = /id=eq\.(\d+)/.exec(request.url ?? '')?.[1]
    const query =
      request.method === 'POST'
        ? { name: 'insert', text: insert, values: [`[${Buffer.concat(chunks).toString()}]`] }
        : { name: 'read', text: read, values: [id ?? '0'] }
    answer(query).then(
      (body) => {
        response.writeHead(request.method === 'POST' ? 201 : 200, {
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
