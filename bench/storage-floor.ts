// The floors of storage, one server with what every correct one must do and no more.
// `node storage-floor.ts FOLDER IMAGE DATABASE JWT-SECRET`
//
//   /bytes/…  a body becomes a flushed file under its name, in a flushed folder; a file is streamed back
//   /row/…    the same, with the MD5 that is its entity tag and one committed row, in a table as storage.objects must be,
//             that names it; a download reads that row first
//   /own/…    a body of a user as `/row`, whose token is verified and whose bucket is looked at; the row is one of
//             storage.objects, written as the user under its policies
//   /tus/…    a body in pieces, each flushed before it is answered (TUS), then as `/row`
//   /s3/…     a body in parts, each a flushed file with its MD5 (S3 multipart), then linked into a folder, and one row
//   /image    one image in memory, resized by sharp; /image/… one that was stored as `/row`, whose row and file are read first
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import sharp from 'sharp'

const [folder = '', imagePath = '', databaseUrl = '', jwtSecret = ''] = process.argv.slice(2)
await mkdir(folder, { recursive: true })
const image = await readFile(imagePath)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 })
await pool.query('create table if not exists public.floor_objects (like storage.objects including all)')
let uploads = 0

async function sync(path: string, flags: 'r' | 'r+'): Promise<void> {
  const file = await open(path, flags)
  await file.sync()
  await file.close()
}

/** Stores a body in a file, flushed; its MD5 where it is asked for. */
async function receive(request: IncomingMessage, path: string, withMd5: boolean, flags = 'w'): Promise<string> {
  const hash = createHash('md5')
  if (withMd5) request.on('data', (bytes: Buffer) => hash.update(bytes))
  // The signature of an S3 request is one of its bytes.
  const signed = request.headers['x-amz-content-sha256'] === undefined ? null : createHash('sha256')
  if (signed !== null) request.on('data', (bytes: Buffer) => signed.update(bytes))
  await pipeline(request, createWriteStream(path, { flags }))
  await sync(path, 'r+')
  return hash.digest('hex')
}

const saveRow = (name: string, version: string, etag: string) =>
  pool.query({
    name: 'save',
    text: `insert into public.floor_objects (bucket_id, name, version, metadata)
      values ('floor', $1, $2, json_build_object('eTag', $3::text)::jsonb)
      on conflict (bucket_id, name) do update set version = excluded.version, metadata = excluded.metadata`,
    values: [name, version, etag],
  })

/** The claims of a bearer token, as JSON; their time is not looked at. */
function claimsOf({ headers }: IncomingMessage): string {
  const [head = '', claims = '', signature = ''] = headers.authorization?.slice('Bearer '.length).split('.') ?? []
  const own = createHmac('sha256', jwtSecret).update(`${head}.${claims}`).digest()
  if (!timingSafeEqual(own, Buffer.from(signature, 'base64url'))) throw new Error('The token is not signed.')
  return Buffer.from(claims, 'base64url').toString()
}

/** The row of a user's object, in three round trips: the fewest of `pg` where the insert is prepared. */
async function saveOwnRow(claims: string, name: string, version: string, etag: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`begin;
      select file_size_limit, allowed_mime_types from storage.buckets where id = 'own';
      set local role authenticated;
      select set_config('request.jwt.claims', ${pg.escapeLiteral(claims)}, true)`)
    await client.query({
      name: 'save own',
      text: `insert into storage.objects (bucket_id, name, owner_id, version, metadata)
        values ('own', $1, auth.uid()::text, $2, json_build_object('eTag', $3::text)::jsonb)
        on conflict (bucket_id, name) do update set version = excluded.version, metadata = excluded.metadata`,
      values: [name, version, etag],
    })
    await client.query('commit')
  } finally {
    client.release(client.getTransactionStatus() !== 'I')
  }
}

async function uploadOwn(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
  const claims = claimsOf(request)
  uploads += 1
  const version = `${name}.${uploads}`
  const etag = await receive(request, join(folder, version), true)
  await sync(folder, 'r')
  await saveOwnRow(claims, `floor-${name}`, version, etag)
  response.end('{}')
}

async function upload(request: IncomingMessage, response: ServerResponse, name: string, withRow: boolean) {
  uploads += 1
  const version = `${name}.${uploads}`
  const etag = await receive(request, join(folder, version), withRow)
  if (withRow) await sync(folder, 'r')
  if (withRow) await saveRow(name, version, etag)
  else {
    await rename(join(folder, version), join(folder, name))
    await sync(folder, 'r')
  }
  response.end('{}')
}

/** The path of a stored file, which its row names. */
async function findPath(name: string): Promise<string> {
  const text = `select version from public.floor_objects where bucket_id = 'floor' and name = $1`
  const found = await pool.query<{ version: string }>({ name: 'find', text, values: [name] })
  return join(folder, found.rows[0]?.version ?? name)
}

async function download(response: ServerResponse, name: string, withRow: boolean): Promise<void> {
  const path = withRow ? await findPath(name) : join(folder, name)
  const file = await open(path, 'r')
  response.setHeader('content-length', (await file.stat()).size)
  await file.close()
  await pipeline(createReadStream(path), response)
}

/** An upload is its own address; its end is known by the length that the first request tells. */
async function resume(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
  response.setHeader('tus-resumable', '1.0.0')
  if (request.method === 'POST') {
    uploads += 1
    response.setHeader('location', `/tus/${uploads}-${request.headers['upload-length']}`)
    response.statusCode = 201
  } else {
    await receive(request, join(folder, name), true, 'a')
    const offset = Number(request.headers['upload-offset']) + Number(request.headers['content-length'])
    response.setHeader('upload-offset', offset)
    response.statusCode = 204
    if (name.endsWith(`-${offset}`)) await saveRow(name, name, '')
  }
  response.end()
}

const parts = new Map<string, string>()

async function multipart(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> {
  const id = query.get('uploadId') ?? String(++uploads)
  if (query.has('partNumber')) {
    const path = join(folder, `part-${id}-${query.get('partNumber')}`)
    const etag = await receive(request, path, true)
    await sync(folder, 'r')
    await saveRow(path, path, etag)
    parts.set(path, id)
    response.setHeader('etag', `"${etag}"`)
  } else if (query.has('uploads')) {
    response.write(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  } else {
    request.resume()
    const whole = join(folder, `whole-${id}`)
    await mkdir(whole)
    const own = [...parts].filter(([, each]) => each === id).map(([path]) => path)
    for (const [index, path] of own.entries()) await link(path, join(whole, String(index)))
    await sync(whole, 'r')
    await saveRow(id, whole, '')
    for (const path of own) await rm(path)
    response.write('<CompleteMultipartUploadResult><ETag>"x-1"</ETag></CompleteMultipartUploadResult>')
  }
  response.end()
}

async function resize(response: ServerResponse, name: string, query: URLSearchParams): Promise<void> {
  const source = name === '' ? image : await readFile(await findPath(name))
  const [width, height] = [Number(query.get('width')), Number(query.get('height'))]
  const bytes = await sharp(source)
    .resize(width, height, { fit: 'cover', withoutEnlargement: true })
    .jpeg({ quality: 80 })
    .toBuffer()
  response.setHeader('content-length', bytes.length)
  response.end(bytes)
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://floor')
  const [, kind = '', ...rest] = pathname.split('/')
  const name = rest.join('-')
  if (kind === 'image') return resize(response, name, searchParams)
  if (kind === 'tus') return resume(request, response, name)
  if (kind === 'own') return uploadOwn(request, response, name)
  if (kind === 's3') return multipart(request, response, searchParams)
  if (request.method === 'POST') return upload(request, response, name, kind === 'row')
  return download(response, name, kind === 'row')
}

const server = createServer((request, response) => {
  // A round ends while requests run: their connections are closed.
  answer(request, response).catch(() => response.destroy())
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
})
