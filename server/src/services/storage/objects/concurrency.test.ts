import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import * as aws from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import * as tus from 'tus-js-client'
import { describe, expect } from 'vitest'
import { test as base, type TestDatabase } from '../../../../test/harness.ts'
import { s3ClientOf } from '../../../../test/s3-app.ts'
import { filesOf, openStorage, type StorageApp } from '../../../../test/storage-app.ts'

const test = base.extend('app', async ({ db }): Promise<StorageApp & { readonly db: TestDatabase }> => {
  const app = await openStorage(db)
  await db.load(`insert into storage.buckets (id, name, public) values ('b', 'b', false), ('open', 'open', true)`)
  return { ...app, db }
})

const mib = 1024 * 1024
const md5 = (body: Buffer | string) => createHash('md5').update(body).digest('hex')

describe('concurrency (storage §12)', () => {
  test('of many uploads of one name one is stored, and no file of the others stays', async ({ app }) => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => app.call('/object/b/a', { method: 'POST', body: `body ${index}` })),
    )
    const stored = answers.filter(({ status }) => status === 200)
    expect(stored).toHaveLength(1)
    for (const answer of answers)
      if (answer.status !== 200) expect(await answer.json()).toMatchObject({ code: 'KeyAlreadyExists' })
    expect(await filesOf(app)).toBe(1)
    expect(await (await app.call('/object/b/a')).text()).toMatch(/^body \d$/)
  })

  test('of twenty at once by every protocol one is the object, whole, and nothing else stays', async ({ app }) => {
    const s3 = s3ClientOf(app)({})
    const place = { Bucket: 'b', Key: 'one' }
    const bodies = Array.from({ length: 20 }, (_, index) => randomBytes(6 * mib + index))
    const ways = [
      async (bytes: Buffer) => app.call('/object/b/one', { method: 'PUT', body: new Uint8Array(bytes) }),
      async (bytes: Buffer) => s3.send(new aws.PutObjectCommand({ ...place, Body: bytes })),
      async (bytes: Buffer) => new Upload({ client: s3, params: { ...place, Body: bytes }, partSize: 5 * mib }).done(),
      async (bytes: Buffer) =>
        new Promise<void>((resolve, reject) => {
          new tus.Upload(bytes, {
            endpoint: `${app.url}/storage/v1/upload/resumable`,
            headers: { authorization: `Bearer ${app.token('service_role')}`, 'x-upsert': 'true' },
            metadata: { bucketName: 'b', objectName: 'one' },
            chunkSize: 4 * mib,
            onSuccess: () => resolve(),
            onError: reject,
          }).start()
        }),
    ]
    await Promise.all(bodies.map((bytes, index) => ways[index % ways.length]?.(bytes)))
    const stored = Buffer.from(await (await app.call('/object/b/one')).arrayBuffer())
    expect(bodies.some((bytes) => bytes.equals(stored))).toBe(true)
    const [row] = await app.sql<{ size: number; tag: string; version: string }>(
      `select (metadata->>'size')::int as size, metadata->>'eTag' as tag, version from storage.objects`,
    )
    expect(row?.size).toBe(stored.length)
    // Of parts, the tag is that of their tags.
    if (row?.tag.includes('-') === false) expect(row.tag).toBe(`"${md5(stored)}"`)
    await app.db.admin.query({ text: 'update clew_storage.removals set due_at = now()', values: [] })
    await app.storage.collector.collect()
    const left: string[] = []
    for await (const { id } of app.files.list()) left.push(id)
    expect(left).toEqual([row?.version])
    for (const table of ['clew_storage.resumable_uploads', 'storage.s3_multipart_uploads'])
      expect((await app.db.admin.query({ text: `select from ${table}`, values: [] })).rows).toEqual([])
  })

  test('reads while an object is replaced see one or the other', async ({ app }) => {
    const versions = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(200_000))
    await app
      .client()
      .from('open')
      .upload('x', versions[0] ?? '')
    let writing = true
    const write = async () => {
      try {
        for (const body of versions) {
          const answer = await app.call('/object/open/x', { method: 'PUT', body })
          expect([answer.status, await answer.json()]).toMatchObject([200, {}])
        }
      } finally {
        writing = false
      }
    }
    const read = async () => {
      while (writing) {
        const answer = await app.call('/object/public/open/x')
        const body = await answer.text()
        expect([answer.status, versions.includes(body), answer.headers.get('etag')]).toEqual([
          200,
          true,
          `"${md5(body)}"`,
        ])
      }
    }
    await Promise.all([write(), read(), read(), read()])
  })

  test('an upload whose client leaves stores nothing', async ({ app }) => {
    const { port } = new URL(app.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST /storage/v1/object/b/a HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${app.token('service_role')}\r\ncontent-length: 9000000\r\n\r\n`,
    )
    socket.write(Buffer.alloc(500_000))
    await expect.poll(() => filesOf(app)).toBe(1)
    socket.destroy()
    await expect.poll(() => filesOf(app)).toBe(0)
    expect(await app.sql('select from storage.objects')).toEqual([])
    await expect
      .poll(() => app.ended.map(({ status, context: { errorCode } }) => [status, errorCode]))
      .toEqual([[499, 'Aborted']])
  })
})

test('the record of a request names its statements, and its writes name the request', async ({ app }) => {
  for (const body of ['text', 'x'.repeat(70_000)]) await app.client().from('b').upload(`a-${body.length}`, body)
  expect(app.ended).toMatchObject(
    [4, 70_000].map((length) => ({
      service: 'storage',
      status: 200,
      context: { path: `/storage/v1/object/b/a-${length}`, errorCode: null },
    })),
  )
  const write = ['service_role', null]
  // What a short one of the service role may is looked at by the statement that writes its row.
  expect(app.ended.map(({ context }) => context.statements.map(({ role, errorCode }) => [role, errorCode]))).toEqual([
    [write],
    [write, write],
  ])
})

test('files are named by versions, whatever the key', async ({ app }) => {
  await app.client().from('b').upload('a/b/c', 'x')
  const [row] = await app.sql<{ version: string }>('select version from storage.objects')
  const version = row?.version ?? ''
  expect(await readdir(join(app.folder, 'objects', version.slice(-2)))).toEqual([version])
})
