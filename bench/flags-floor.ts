import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import pg from 'pg'

/**
 * The least that can answer for flags: the body is parsed, the person's row is read, and an answer as large as Clew's is
 * written from objects. Nothing is evaluated. Started as `flags-floor.ts <database> <file with an answer>`; prints its port.
 */
const pool = new pg.Pool({ connectionString: process.argv[2] ?? '', max: 8 })
const answer: object = JSON.parse(readFileSync(process.argv[3] ?? '', 'utf8'))

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', async () => {
    const { distinct_id: id } = JSON.parse(Buffer.concat(chunks).toString()) as { distinct_id: string }
    const { rowCount } = await pool.query({
      name: 'person',
      text: `select p.properties from clew_analytics.distinct_ids d
        join clew_analytics.persons p on p.id = d.person_id where d.distinct_id = $1`,
      values: [id],
    })
    const body = JSON.stringify({ ...answer, persons: rowCount })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : ''}\n`)
})
