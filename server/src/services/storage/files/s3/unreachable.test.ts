import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../../../test/harness.ts'
import { s3ClientOf } from '../../../../../test/s3-app.ts'
import { openStorage } from '../../../../../test/storage-app.ts'
import { createS3Store } from './s3-store.ts'

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** A server of a bucket that is wrong in some way, until the test ends. @returns its port */
async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sockets = new Set<{ destroy(): unknown }>()
  server.on('connection', (socket) => sockets.add(socket))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return portOf(server)
}

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A server that answers each request alike. */
const answering = (status: number, code: string) => () =>
  listening(
    createHttpServer((request, response) => {
      request.resume()
      response.writeHead(status, { 'content-type': 'application/xml' })
      response.end(request.method === 'HEAD' ? undefined : `<Error><Code>${code}</Code><Message>No.</Message></Error>`)
    }),
  )

test.for([
  ['nothing listens there', closedPort, 503],
  ['it takes connections and says nothing', () => listening(createServer((socket) => socket.resume())), 503],
  ['it refuses the keys', answering(403, 'AccessDenied'), 503],
  ['the bucket is gone', answering(404, 'NoSuchBucket'), 503],
  ['it is full', answering(507, 'InsufficientStorage'), 507],
] as const)(
  'where %s the caller is told that files cannot be reached, and nothing is stored (storage §1)',
  async ([, open, status], { db }) => {
    const endpoint = `http://127.0.0.1:${await open()}`
    const keys = { accessKeyId: 'k', secretAccessKey: 's' }
    const files = createS3Store({
      ...keys,
      ...{ endpoint, region: 'local', bucket: 'files', timeoutSeconds: 1, pathStyle: true },
    })
    const app = await openStorage(db, { files })
    await db.load(`
      insert into storage.buckets (id, name) values ('b', 'b');
      insert into storage.objects (bucket_id, name, version) values ('b', 'old', '${crypto.randomUUID()}')`)
    const metadata = `bucketName ${btoa('b')},objectName ${btoa('tus')}`
    const s3 = s3ClientOf(app)({})
    const [short, long, read, resumable] = await Promise.all([
      app.call('/object/b/short', { method: 'POST', body: 'x' }),
      app.call('/object/b/long', { method: 'POST', body: Buffer.alloc(7_000_000) }),
      app.call('/object/b/old'),
      app.call('/upload/resumable', {
        method: 'POST',
        headers: { 'tus-resumable': '1.0.0', 'upload-length': '3', 'upload-metadata': metadata },
      }),
      expect(s3.send(new PutObjectCommand({ Bucket: 'b', Key: 's3', Body: 'x' }))).rejects.toMatchObject({
        $metadata: { httpStatusCode: status },
      }),
    ])
    for (const answer of [short, long, read]) {
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ statusCode: String(status) })
    }
    expect(resumable.status).toBe(status)
    expect(await app.sql('select name from storage.objects')).toEqual([{ name: 'old' }])
    expect(await files.health()).toMatchObject({ ok: false, detail: expect.stringContaining('bucket files') })
    s3.destroy()
    await files.close()
  },
)
