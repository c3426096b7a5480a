import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { hash, verify as verifyPassword } from '@node-rs/bcrypt'
import pg from 'pg'

/**
 * The minimal server for these calls: a bare Node HTTP handler. `POST /sign-in` compares a password of bcrypt's cost
 * 10 and does nothing else; `GET /user` checks an ES256 signature with node:crypto, reads the session and the user by
 * their keys, and answers the row.
 * Started as `auth-floor.ts <connection string> <pool size> <public JWK>`; prints its port.
 */
const [connectionString = '', size = '6', jwk = '{}'] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: Number(size) })
// The public key that the product publishes.
const key = createPublicKey({ key: JSON.parse(jwk) as JsonWebKey, format: 'jwk' })
const stored = await hash('three oat biscuits', { cost: 10 })

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

async function signIn(request: IncomingMessage): Promise<string> {
  const { password } = JSON.parse(await bodyOf(request)) as { readonly password: string }
  if (!(await verifyPassword(password, stored))) throw new Error('wrong')
  return '{}'
}

async function user(request: IncomingMessage): Promise<string> {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const [header = '', payload = '', signature = ''] = token.split('.')
  const isOurs = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isOurs) throw new Error('forged')
  const { sub, session_id } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, string>
  const { rows } = await pool.query({
    name: 'user',
    text: `select row_to_json(u)::text as body from auth.users u
      where id = $1 and exists (select from auth.sessions where id = $2 and user_id = u.id)`,
    values: [sub, session_id],
  })
  return String(rows[0]?.body)
}

const server = createServer((request, response) => {
  const answer = request.url === '/user' ? user(request) : signIn(request)
  answer.then(
    (body) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      response.writeHead(200, headers).end(body)
    },
    (error: unknown) =>
      response.writeHead(500, { 'content-length': 0 }).end(void process.stderr.write(`${String(error)}\n`)),
  )
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(String(typeof address === 'object' && address !== null ? address.port : 0))
})
