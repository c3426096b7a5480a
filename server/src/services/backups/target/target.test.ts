import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createThreads } from '../../../engines/threads/index.ts'
import { createArchiveWriter } from '../copies/archive-writer.ts'
import { noPieces } from '../copies/known-pieces.ts'
import { restoreArchive } from '../copies/restore-archive.ts'
import { copyFolder } from '../sources/copy-folder.ts'
import { openTarget } from './open-target.ts'
import type { BackupTarget } from './target.ts'

const threads = createThreads({ threads: 2 })
afterAll(() => threads.close())
const folder = await mkdtemp(join(tmpdir(), 'clew-targets-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

interface BucketServer {
  run(): Promise<{ readonly port: number }>
  close(): Promise<void>
}

// It brings no types.
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => BucketServer
const bucketServer = new S3rver({
  ...{ port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 's3') },
  configureBuckets: [{ name: 'backups', configs: [] }],
})
const { port } = await bucketServer.run()
afterAll(() => bucketServer.close())

const noTarget = {
  ...{ folder: null, s3Bucket: null, s3Prefix: '', s3Region: 'us-east-1', s3ForcePathStyle: true },
  ...{ s3Endpoint: `http://127.0.0.1:${port}`, s3AccessKeyId: 'S3RVER', s3SecretAccessKey: 'S3RVER' },
}

async function namesIn(target: BackupTarget, prefix: string): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { name } of target.list(prefix)) names.push(name)
  return names.sort()
}

describe.each([
  ['a folder', () => openTarget({ ...noTarget, folder: join(folder, 'pieces') })],
  ['a bucket', () => openTarget({ ...noTarget, s3Bucket: 'backups' })],
  ['a bucket with a prefix', () => openTarget({ ...noTarget, s3Bucket: 'backups', s3Prefix: 'one/' })],
  ['a bucket that is named', () => openTarget(noTarget, 's3://backups/two')],
] as const)('%s', (_what, open) => {
  test('keeps pieces, lists and removes them, and takes one in place of another', async () => {
    const target = await open()
    const bytes = randomBytes(100_000)
    await target.put('pieces/ab/abc', bytes)
    await target.put('backups/x.json', Buffer.from('old'))
    await target.put('backups/x.json', Buffer.from('new'))
    await target.settle()
    expect((await target.get('pieces/ab/abc')).equals(bytes)).toBe(true)
    expect((await target.get('backups/x.json')).toString()).toBe('new')
    expect([await target.has('pieces/ab/abc'), await target.has('pieces/ab/other')]).toEqual([true, false])
    expect(await namesIn(target, 'pieces/')).toEqual(['pieces/ab/abc'])
    await target.remove('pieces/ab/abc')
    expect(await namesIn(target, 'pieces/')).toEqual([])
    await expect(target.get('pieces/ab/abc')).rejects.toMatchObject({ code: 'CLEW_BACKUP_DAMAGED' })
    target.close()
  })
})

test('without a place there is an error that says how to name one', async () => {
  await expect(openTarget(noTarget)).rejects.toMatchObject({ code: 'CLEW_BACKUP_NO_TARGET' })
})

test('a bucket that does not take more half-way ends the backup with words, and the next one is whole', async () => {
  const bytes = randomBytes(13 * 1024 * 1024)
  await writeFile(join(folder, 'large'), bytes)
  let leftPuts = 2
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (incoming.method === 'PUT' && leftPuts === 0) {
      incoming.socket.destroy()
      return
    }
    if (incoming.method === 'PUT') leftPuts -= 1
    const { method, url, headers } = incoming
    incoming.pipe(
      request({ port, method, path: url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      }),
    )
  }
  const proxy = createServer(pass).listen(0, '127.0.0.1')
  await new Promise((resolve) => proxy.once('listening', resolve))
  const s3Endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const target = await openTarget({ ...noTarget, s3Endpoint, s3Bucket: 'backups', s3Prefix: 'failing' })
  const copy = async () => {
    const deps = { target, known: noPieces, pace: async () => undefined, progress: () => undefined }
    const writer = createArchiveWriter('files', deps)
    await copyFolder(writer, folder, { isImmutable: true, mayGo: false, takes: (path) => path === 'large' })
    return writer.end()
  }
  await expect(copy()).rejects.toMatchObject({ code: 'CLEW_BACKUP_TARGET' })
  leftPuts = 100
  const archive = await copy()
  // Two pieces were there.
  expect(archive.newBytes).toBeLessThan(archive.sizeBytes)
  const to = join(folder, 'restored')
  await restoreArchive(archive, to, { target, threads, isKept: true, progress: () => undefined })
  expect((await readFile(join(to, 'large'))).equals(bytes)).toBe(true)
  target.close()
  proxy.close()
  proxy.closeAllConnections()
})
