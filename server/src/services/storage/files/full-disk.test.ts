import { spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import * as aws from '@aws-sdk/client-s3'
import { afterAll, expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { openStorage } from '../../../../test/storage-app.ts'
import { localS3AccessKey } from '../s3/keys.ts'
import { createFolderStore } from './folder/folder-store.ts'

const mib = 1024 * 1024
const folder = await mkdtemp(join(tmpdir(), 'clew-full-'))
const mounted = join(folder, 'small')
await mkdir(mounted)
const hasSmallDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', mounted]).status === 0

afterAll(async () => {
  if (hasSmallDisk) spawnSync('umount', ['-l', mounted])
  await rm(folder, { recursive: true, force: true })
})

async function emptyDisk(): Promise<void> {
  for (const name of await readdir(mounted)) await rm(join(mounted, name), { recursive: true })
}

/** Files of the small disk that this process has open; folders stay open. */
async function openedFiles(): Promise<readonly string[]> {
  const paths = (await readdir('/proc/self/fd')).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ''))
  return (await Promise.all(paths)).filter((path) => path.startsWith(mounted) && /[0-9a-f-]{36}/.test(path))
}

test.runIf(hasSmallDisk)(
  'an upload for which the disk has no space is refused by each protocol, and leaves nothing (needs to mount one)',
  async ({ db }) => {
    const files = await createFolderStore(mounted)
    try {
      const app = await openStorage(db, { files })
      await db.load(`insert into storage.buckets (id, name) values ('b', 'b')`)
      const large = Buffer.alloc(4 * mib)
      const old = 'what was there'
      for (const name of ['plain', 'part']) await app.client().from('b').upload(name, old)

      const plain = await app.call('/object/b/plain', { method: 'PUT', body: large })
      expect([plain.status, await plain.json()]).toMatchObject([507, { statusCode: '507', code: 'OutOfSpace' }])

      const s3 = new aws.S3Client({
        region: 'local',
        endpoint: `${app.url}/storage/v1/s3`,
        forcePathStyle: true,
        maxAttempts: 1,
        credentials: localS3AccessKey,
      })
      const place = { Bucket: 'b', Key: 'part' }
      const { UploadId } = await s3.send(new aws.CreateMultipartUploadCommand(place))
      const part = s3.send(new aws.UploadPartCommand({ ...place, UploadId, PartNumber: 1, Body: large }))
      await expect(part).rejects.toMatchObject({ $metadata: { httpStatusCode: 507 } })
      await s3.send(new aws.AbortMultipartUploadCommand({ ...place, UploadId }))
      s3.destroy()

      const tus = { 'tus-resumable': '1.0.0' }
      const text = Buffer.from('tus').toString('base64')
      const begun = await app.call('/upload/resumable', {
        method: 'POST',
        headers: {
          ...tus,
          'upload-length': String(large.length),
          'upload-metadata': `bucketName ${Buffer.from('b').toString('base64')},objectName ${text}`,
        },
      })
      const path = (begun.headers.get('location') ?? '').split('/storage/v1')[1] ?? ''
      const headers = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
      expect((await app.call(path, { method: 'PATCH', headers, body: large })).status).toBe(507)
      expect((await app.call(path, { method: 'DELETE', headers: tus })).status).toBe(204)

      for (const name of ['plain', 'part'])
        expect(await (await app.client().from('b').download(name)).data?.text()).toBe(old)
      expect(await app.sql('select name from storage.objects order by 1')).toEqual([
        { name: 'part' },
        { name: 'plain' },
      ])
      const sizes: number[] = []
      for await (const { sizeBytes } of files.list()) sizes.push(sizeBytes)
      expect(sizes).toEqual([old.length, old.length])
      expect(
        (
          await app
            .client()
            .from('b')
            .upload('fits', Buffer.alloc(2 * mib))
        ).error,
      ).toBeNull()
      const copied = await app.client().from('b').copy('fits', 'twice')
      expect(copied.error).toMatchObject({ statusCode: '507' })
      // Sooner than the collector would close it.
      await expect.poll(openedFiles).toEqual([])
    } finally {
      await files.close()
      await emptyDisk()
    }
  },
)

test.runIf(hasSmallDisk)(
  'a short file for which the disk has no space leaves nothing (needs to mount one)',
  async () => {
    const files = await createFolderStore(mounted)
    try {
      const { putShort } = files
      const bytes = randomBytes(64 * 1024)
      const stored: string[] = []
      const fill = async () => {
        for (;;) {
          const id = randomUUID()
          await putShort?.(id, bytes)
          stored.push(id)
        }
      }
      await expect(fill()).rejects.toMatchObject({ code: 'NoSpace' })
      const listed: (readonly [string, number])[] = []
      for await (const { id, sizeBytes } of files.list()) listed.push([id, sizeBytes])
      expect(listed.sort()).toEqual(stored.sort().map((id) => [id, bytes.length]))
      expect(listed.length).toBeGreaterThan(0)
      expect(await openedFiles()).toEqual([])
      const [id = ''] = stored
      expect(await buffer(await files.get(id))).toEqual(bytes)
      // Its name is taken, and its file stays.
      await expect(putShort?.(id, Buffer.from('other'))).rejects.toMatchObject({ code: 'EEXIST' })
      expect(await buffer(await files.get(id))).toEqual(bytes)
    } finally {
      await files.close()
      await emptyDisk()
    }
  },
)
