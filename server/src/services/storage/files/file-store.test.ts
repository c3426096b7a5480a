import { spawnSync } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../../../../test/receiver.ts'
import { withLive } from '../../../ground/settings/live.ts'
import { readSettings } from '../../../ground/settings/read.ts'
import { storageSettings } from '../settings.ts'
import type { FileStore, ListedFile } from './file-store.ts'
import { createFolderStore } from './folder/folder-store.ts'
import { openFileStore } from './open.ts'
import { createS3Store } from './s3/s3-store.ts'

const folder = await mkdtemp(join(tmpdir(), 'clew-files-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const noLimit = { limitBytes: Number.POSITIVE_INFINITY }
const mib = 1024 * 1024
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')

interface BucketServer {
  run(): Promise<{ readonly port: number }>
  close(): Promise<void>
}

// It brings no types.
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => BucketServer
const bucketServer = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: join(folder, 's3'),
  configureBuckets: [{ name: 'files', configs: [] }],
})
const { port } = await bucketServer.run()
afterAll(() => bucketServer.close())

const stores: readonly (readonly [string, () => Promise<FileStore>])[] = [
  ['a folder', () => createFolderStore(folder)],
  [
    'an S3 bucket',
    async () =>
      createS3Store({
        endpoint: `http://127.0.0.1:${port}`,
        region: 'us-east-1',
        bucket: 'files',
        accessKeyId: 'S3RVER',
        secretAccessKey: 'S3RVER',
        timeoutSeconds: 60,
        pathStyle: true,
      }),
  ],
]

test('keys of a bucket are others with the next request', async () => {
  const server = await startReceiver((response) => response.setHeader('etag', '"a"').end())
  onTestFinished(server.close)
  const keys = { id: 'old-id', secret: 'old-secret' }
  const settings = {
    ...readSettings(storageSettings, []).values,
    ...{ backend: 's3' as const, s3Endpoint: server.url, s3Bucket: 'files' },
  }
  const live = withLive(settings, ['s3AccessKeyId', 's3SecretAccessKey'], (name) =>
    name === 's3AccessKeyId' ? keys.id : keys.secret,
  )
  const store = await openFileStore(live, folder)
  const signature = async () => {
    await store.put(randomUUID(), Readable.from([Buffer.from('a')], { objectMode: false }), noLimit)
    return String(server.received.at(-1)?.headers.authorization)
  }
  expect(await signature()).toContain('Credential=old-id/')
  Object.assign(keys, { id: 'new-id', secret: 'new-secret' })
  expect(await signature()).toContain('Credential=new-id/')
})

/** A stream of pieces that then fails. */
const failingAfter = (pieces: readonly Buffer[]): Readable =>
  Readable.from(
    (async function* () {
      yield* pieces
      throw new Error('the client left')
    })(),
    { objectMode: false },
  )

async function listed(store: FileStore, id: string): Promise<readonly ListedFile[]> {
  const all: ListedFile[] = []
  for await (const file of store.list()) if (file.id === id) all.push(file)
  return all
}

describe.each(stores)('%s', (_title, open) => {
  test.each([
    ['nothing', 0],
    ['a byte', 1],
    ['8 KiB', 8192],
    ['several pieces', 5 * mib + 17],
  ])('stores and returns %s', async (_size, length) => {
    const store = await open()
    const bytes = randomBytes(length)
    const id = randomUUID()
    const stored = await store.put(id, Readable.from([bytes], { objectMode: false }), noLimit)
    expect(stored).toEqual({ sizeBytes: length, md5: md5(bytes), etag: expect.stringMatching(/^"[0-9a-f-]+"$/) })
    expect((await buffer(await store.get(id))).equals(bytes)).toBe(true)
    expect(await listed(store, id)).toMatchObject([{ sizeBytes: length, partial: false }])
    await store.close()
  })

  test('returns ranges', async () => {
    const store = await open()
    const id = randomUUID()
    await store.put(id, Readable.from([Buffer.from('0123456789')]), noLimit)
    const range = async (start: number, end: number) => (await buffer(await store.get(id, { start, end }))).toString()
    expect([await range(0, 1), await range(3, 6), await range(9, 9)]).toEqual(['01', '3456', '9'])
    await store.close()
  })

  test('reads a file into memory, as far as that reaches', async () => {
    const store = await open()
    const [id, joined] = [randomUUID(), randomUUID()]
    await store.put(id, Readable.from([Buffer.from('0123456789')]), noLimit)
    await store.join([id, id], joined)
    const read = async (file: string, length: number) => {
      const memory = Buffer.alloc(length)
      return memory.toString('latin1', 0, await store.read(file, memory))
    }
    expect([await read(id, 4), await read(id, 10), await read(id, 30)]).toEqual(['0123', '0123456789', '0123456789'])
    expect([await read(joined, 12), await read(joined, 30)]).toEqual(['012345678901', '01234567890123456789'])
    await expect(read(randomUUID(), 4)).rejects.toMatchObject({ code: 'FileMissing' })
    await store.close()
  })

  test.each([
    ['longer than its limit', Readable.from([Buffer.alloc(6), Buffer.alloc(5)]), { limitBytes: 10 }, 'FileTooLarge'],
    ['whose client leaves', failingAfter([Buffer.alloc(mib)]), noLimit, 'the client left'],
    [
      'that is aborted',
      new Readable({ read: () => undefined }),
      { ...noLimit, signal: AbortSignal.abort(new Error('enough')) },
      'enough',
    ],
  ])('nothing is left of a stream %s', async (_why, body, options, reason) => {
    const store = await open()
    const id = randomUUID()
    await expect(store.put(id, body, options)).rejects.toThrow(
      reason === 'FileTooLarge' ? 'The file is longer than its limit.' : reason,
    )
    await expect(store.get(id)).rejects.toMatchObject({ code: 'FileMissing' })
    expect(await listed(store, id)).toEqual([])
    await store.close()
  })

  test('a limit is met exactly, and the stream that is too long is not destroyed', async () => {
    const store = await open()
    await store.put(randomUUID(), Readable.from([Buffer.alloc(10)]), { limitBytes: 10 })
    const body = new Readable({ read: () => undefined })
    body.push(Buffer.alloc(11))
    await expect(store.put(randomUUID(), body, { limitBytes: 10 })).rejects.toMatchObject({ code: 'FileTooLarge' })
    expect(body.destroyed).toBe(false)
    await store.close()
  })

  test('copies, joins and removes', async () => {
    const store = await open()
    const [one, two, copy, joined] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    await store.put(one, Readable.from([Buffer.from('ab')]), noLimit)
    await store.put(two, Readable.from([Buffer.from('cd')]), noLimit)
    expect(await store.copy(one, copy)).toMatchObject({ sizeBytes: 2, etag: `"${md5(Buffer.from('ab'))}"` })
    expect(await store.join([two, one, two], joined)).toBe(6)
    await store.remove([one, two, randomUUID()])
    await expect(store.get(one)).rejects.toMatchObject({ code: 'FileMissing' })
    await expect(store.copy(one, randomUUID())).rejects.toMatchObject({ code: 'FileMissing' })
    await expect(store.join([copy, one], randomUUID())).rejects.toMatchObject({ code: 'FileMissing' })
    expect((await buffer(await store.get(joined))).toString()).toBe('cdabcd')
    for (const [start, end, text] of [
      [0, 1, 'cd'],
      [1, 4, 'dabc'],
      [2, 3, 'ab'],
      [5, 5, 'd'],
    ] as const)
      expect((await buffer(await store.get(joined, { start, end }))).toString()).toBe(text)
    expect((await buffer(await store.get(copy))).toString()).toBe('ab')
    await store.close()
  })

  test('a file that is removed while it is read is read to its end', async () => {
    const store = await open()
    const id = randomUUID()
    const bytes = randomBytes(3 * mib)
    await store.put(id, Readable.from([bytes], { objectMode: false }), noLimit)
    const stream = await store.get(id)
    await store.remove([id])
    expect((await buffer(stream)).equals(bytes)).toBe(true)
    await store.close()
  })

  test('an upload in pieces survives failures and restarts, and becomes a file', async () => {
    const before = await open()
    const id = randomUUID()
    const bytes = randomBytes(3 * mib)
    await before.partial.create(id)
    expect(await before.partial.size(id)).toBe(0)
    expect(await before.partial.append(id, 0, Readable.from([bytes.subarray(0, mib)]), noLimit)).toBe(mib)
    await expect(before.partial.append(id, 0, Readable.from([bytes]), noLimit)).rejects.toMatchObject({
      code: 'WrongOffset',
    })
    const broken = failingAfter([bytes.subarray(mib, mib + 1000)])
    await expect(before.partial.append(id, mib, broken, noLimit)).rejects.toThrow('the client left')
    expect(await before.partial.size(id)).toBe(mib + 1000)
    const tooLong = Readable.from([bytes.subarray(mib + 1000)])
    await expect(before.partial.append(id, mib + 1000, tooLong, { limitBytes: 2 * mib })).rejects.toMatchObject({
      code: 'FileTooLarge',
    })
    expect(await before.partial.size(id)).toBe(mib + 1000)
    await before.close()

    const after = await open()
    await expect(after.get(id)).rejects.toMatchObject({ code: 'FileMissing' })
    expect(await listed(after, id)).toMatchObject([{ sizeBytes: mib + 1000, partial: true }])
    const rest = Readable.from([bytes.subarray(mib + 1000)])
    expect(await after.partial.append(id, mib + 1000, rest, noLimit)).toBe(3 * mib)
    const finished = { sizeBytes: 3 * mib, etag: expect.stringMatching(/^"[0-9a-f-]+"$/) }
    expect(await after.partial.finish(id)).toMatchObject(finished)
    expect(await after.partial.finish(id)).toMatchObject(finished)
    expect((await buffer(await after.get(id))).equals(bytes)).toBe(true)
    expect(await listed(after, id)).toMatchObject([{ sizeBytes: 3 * mib, partial: false }])
    await after.close()
  })

  test('an upload in pieces that is not there is missing, and one that is removed is gone', async () => {
    const store = await open()
    const id = randomUUID()
    await store.partial.create(id)
    await store.remove([id])
    await expect(store.partial.size(id)).rejects.toMatchObject({ code: 'FileMissing' })
    await expect(store.partial.append(id, 0, Readable.from([]), noLimit)).rejects.toMatchObject({ code: 'FileMissing' })
    await expect(store.partial.finish(id)).rejects.toMatchObject({ code: 'FileMissing' })
    await store.close()
  })

  test.each(['../../etc/passwd', '', '.', 'a/b', 'C:\\x', '\0'])('%j is no id of a file', async (id) => {
    const store = await open()
    await expect(store.put(id, Readable.from([Buffer.from('x')]), noLimit)).rejects.toThrow(TypeError)
    await expect(store.get(id)).rejects.toThrow(TypeError)
    await expect(store.partial.create(id)).rejects.toThrow(TypeError)
    await store.close()
  })

  test('says that it can be written to', async () => {
    const store = await open()
    expect(await store.health()).toMatchObject({ ok: true })
    await store.close()
  })
})

test('what a crash leaves of a file, or of one that was being joined, is listed and removed', async () => {
  const store = await createFolderStore(folder)
  const [received, joining] = [randomUUID(), randomUUID()]
  await mkdir(join(folder, 'objects', received.slice(-2)), { recursive: true })
  await writeFile(join(folder, 'objects', received.slice(-2), received), 'half')
  await mkdir(join(folder, 'partial', joining))
  await writeFile(join(folder, 'partial', joining, '00000-4'), 'half')
  expect(await listed(store, received)).toMatchObject([{ sizeBytes: 4, partial: false }])
  expect(await listed(store, joining)).toMatchObject([{ partial: true }])
  await store.remove([received, joining])
  expect([await listed(store, received), await listed(store, joining)]).toEqual([[], []])
})

test('a joined file takes no space of its own, and one that is removed while it is read is read to its end', async () => {
  const store = await createFolderStore(folder)
  const [one, two, joined] = [randomUUID(), randomUUID(), randomUUID()]
  const bytes = randomBytes(3 * mib)
  await store.put(one, Readable.from([bytes.subarray(0, 2 * mib)], { objectMode: false }), noLimit)
  await store.put(two, Readable.from([bytes.subarray(2 * mib)], { objectMode: false }), noLimit)
  expect(await store.join([one, two], joined)).toBe(3 * mib)
  expect((await stat(join(folder, 'objects', one.slice(-2), one))).nlink).toBe(2)
  await store.remove([one, two])
  expect(await listed(store, joined)).toMatchObject([{ sizeBytes: 3 * mib, partial: false }])
  const stream = await store.get(joined)
  await store.remove([joined])
  expect((await buffer(stream)).equals(bytes)).toBe(true)
  await expect.poll(() => listed(store, joined)).toEqual([])
})

test('a folder that takes no file says so', async () => {
  const other = join(folder, 'other')
  const store = await createFolderStore(other)
  await rm(join(other, 'partial'), { recursive: true })
  expect(await store.health()).toMatchObject({ ok: false, detail: expect.stringContaining('No file can be written') })
})

const mounted = join(folder, 'small')
await mkdir(mounted)
const hasSmallDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', mounted]).status === 0

test.runIf(hasSmallDisk)('nothing is left of a file for which the disk has no space (needs to mount one)', async () => {
  try {
    const store = await createFolderStore(mounted)
    const put = (bytes: number) => store.put(randomUUID(), Readable.from([Buffer.alloc(bytes)]), noLimit)
    await expect(put(3 * mib)).rejects.toMatchObject({ code: 'NoSpace' })
    for await (const file of store.list()) expect(file).toBeNull()
    expect(await put(mib)).toMatchObject({ sizeBytes: mib })
    const id = randomUUID()
    await store.partial.create(id)
    await expect(store.partial.append(id, 0, Readable.from([Buffer.alloc(3 * mib)]), noLimit)).rejects.toMatchObject({
      code: 'NoSpace',
    })
    await store.remove([id])
    expect(await put(mib / 2)).toMatchObject({ sizeBytes: mib / 2 })
    await store.close()
  } finally {
    spawnSync('umount', [mounted])
  }
})
