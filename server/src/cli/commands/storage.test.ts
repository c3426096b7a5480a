import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { type CommandResult, runCommand } from '../../../test/command-line.ts'
import { test as base } from '../../../test/harness.ts'
import { openStorage, type StorageApp } from '../../../test/storage-app.ts'

/** A storage service, a folder of files, and commands on both. */
interface Place {
  readonly app: StorageApp
  readonly folder: string
  write(path: string, content: string | Buffer): Promise<string>
  storage(...args: readonly string[]): Promise<CommandResult>
}

const test = base.extend<'place', Place>('place', async ({ db }, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-files-'))
  onCleanup(() => rm(folder, { recursive: true }))
  const app = await openStorage(db)
  const project = ['--url', app.url, '--key', app.token('service_role')]
  return {
    app,
    folder,
    write: async (path, content) => {
      await mkdir(join(folder, path, '..'), { recursive: true })
      await writeFile(join(folder, path), content)
      return join(folder, path)
    },
    storage: (...args) => runCommand('storage', ...args, ...project, '--experimental'),
  }
})

const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')

test('a file is copied there and back, with its type and its cache-control', async ({ place }) => {
  const { app, storage, write, folder } = place
  await app.client().createBucket('papers')
  const read = await write('read me.md', '# Read me')
  expect(await storage('cp', read, 'ss:///papers/a/read%20me.md')).toMatchObject({ code: 0, stdout: '' })
  const picture = await write('picture', png)
  expect(await storage('cp', picture, 'ss:///papers/', '--cache-control', 'max-age=7')).toMatchObject({ code: 0 })
  expect(await storage('cp', picture, 'ss:///papers/odd', '--content-type', 'a/b')).toMatchObject({ code: 0 })
  expect(
    await app.sql(`select name, metadata ->> 'mimetype' as type, metadata ->> 'cacheControl' as cache
      from storage.objects order by name`),
  ).toEqual([
    { name: 'a/read me.md', type: 'text/markdown; charset=utf-8', cache: 'max-age=3600' },
    { name: 'odd', type: 'a/b', cache: 'max-age=3600' },
    { name: 'picture', type: 'image/png', cache: 'max-age=7' },
  ])
  const back = join(folder, 'back.md')
  expect(await storage('cp', 'ss:///papers/a/read me.md', back)).toMatchObject({ code: 0 })
  expect(await readFile(back, 'utf8')).toBe('# Read me')
  // Neither side is overwritten without -r, and a folder takes a file under its own name.
  expect(await storage('cp', 'ss:///papers/odd', back)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('back.md is there already'),
  })
  expect(await storage('cp', picture, 'ss:///papers/odd')).toMatchObject({
    code: 15,
    stderr: expect.stringContaining('The resource already exists'),
  })
  expect(await storage('cp', 'ss:///papers/odd', folder)).toMatchObject({ code: 0 })
  expect(await readdir(folder)).toEqual(['back.md', 'odd', 'picture', 'read me.md'])
  // An empty file is an object of no bytes.
  expect(await storage('cp', await write('empty', ''), 'ss:///papers/empty')).toMatchObject({ code: 0 })
  expect(await storage('cp', 'ss:///papers/empty', join(folder, 'none'))).toMatchObject({ code: 0 })
  expect(await readFile(join(folder, 'none'))).toHaveLength(0)
})

test('a folder is copied, listed, moved and removed with what is below it', async ({ place }) => {
  const { app, storage, write, folder } = place
  for (const [path, text] of [
    ['docs/one.txt', '1'],
    ['docs/deep/two.txt', '2'],
    ['docs/deep/er/three.txt', '3'],
  ] as const)
    await write(path, text)
  const docs = join(folder, 'docs')
  // The bucket is made where it is missing, as the Supabase CLI does.
  expect(await storage('cp', '-r', '-j', '4', docs, 'ss:///papers/docs')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`Uploading: ${join(docs, 'one.txt')} => /papers/docs/one.txt`),
  })
  await app.client().createBucket('empty')
  await app.client().from('papers').upload('docs2/other.txt', 'x')
  const list = async (...args: readonly string[]) => (await storage('ls', ...args)).stdout.split('\n').slice(0, -1)
  expect(await list()).toEqual(['empty/', 'papers/'])
  expect(await list('ss:///papers/docs/')).toEqual(['deep/', 'one.txt'])
  expect(await list('ss:///papers/do')).toEqual(['docs/', 'docs2/'])
  expect((await list('-r')).sort()).toEqual([
    '/papers/docs/deep/er/three.txt',
    '/papers/docs/deep/two.txt',
    '/papers/docs/one.txt',
    '/papers/docs2/other.txt',
    'empty/',
  ])
  // Into a folder that is there it comes under its own name, here and there.
  await storage('cp', '-r', docs, 'ss:///papers/docs')
  expect(await list('ss:///papers/docs/docs/')).toEqual(['deep/', 'one.txt'])
  const target = join(folder, 'target')
  expect(await storage('cp', '-r', 'ss:///papers/docs', target)).toMatchObject({ code: 0 })
  expect((await readdir(target, { recursive: true })).filter((path) => path.endsWith('.txt')).sort()).toEqual([
    'deep/er/three.txt',
    'deep/two.txt',
    'docs/deep/er/three.txt',
    'docs/deep/two.txt',
    'docs/one.txt',
    'one.txt',
  ])
  await storage('cp', '-r', 'ss:///papers/docs2', target)
  expect(await readFile(join(target, 'docs2', 'other.txt'), 'utf8')).toBe('x')
  expect(await storage('rm', '-r', '--yes', 'ss:///papers/docs/docs')).toMatchObject({ code: 0 })

  expect(await storage('mv', 'ss:///papers/docs/one.txt', 'ss:///papers/first.txt')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Successfully moved'),
  })
  expect(await storage('mv', '-r', 'ss:///papers/docs', 'ss:///papers/www')).toMatchObject({ code: 0 })
  expect((await list('-r', 'ss:///papers/')).sort()).toEqual([
    '/papers/docs2/other.txt',
    '/papers/first.txt',
    '/papers/www/deep/er/three.txt',
    '/papers/www/deep/two.txt',
  ])

  expect(await storage('rm', 'ss:///papers/first.txt')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('CLEW_NOT_CONFIRMED'),
  })
  expect(await storage('rm', '--yes', 'ss:///papers/first.txt', 'ss:///papers/none')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Object not found: none'),
  })
  expect(await storage('rm', '-r', '--yes', 'ss:///papers/www')).toMatchObject({ code: 0 })
  expect(await list('ss:///papers/')).toEqual(['docs2/'])
  expect(await storage('rm', '-r', '--yes')).toMatchObject({ code: 0 })
  expect(await list()).toEqual([])
})

test('a folder of more than a page is listed and removed whole', async ({ place }) => {
  const { app, storage } = place
  await app.client().createBucket('many')
  await app.sql(
    `insert into storage.objects (bucket_id, name) select 'many', 'deep/' || n from generate_series(1, 1001) n`,
  )
  expect((await storage('ls', 'ss:///many/deep/')).stdout.split('\n')).toHaveLength(1002)
  expect(await storage('rm', '-r', '--yes', 'ss:///many')).toMatchObject({ code: 0 })
  expect(await app.sql('select count(*)::int as count from storage.objects')).toEqual([{ count: 0 }])
  expect(await app.sql('select id from storage.buckets')).toEqual([])
})

test('what cannot be copied is named, and the rest is copied', async ({ place }) => {
  const { app, storage, write, folder } = place
  await app.client().createBucket('papers')
  await write('mixed/good.txt', 'good')
  await write('mixed/größe.txt', 'a key has no ö')
  const { code, stderr } = await storage('cp', '-r', join(folder, 'mixed'), 'ss:///papers/mixed')
  expect([code, stderr]).toEqual([1, expect.stringMatching(/Not copied: .*größe\.txt: Invalid key[\s\S]*1 could not/)])
  expect(await app.sql('select name from storage.objects')).toEqual([{ name: 'mixed/good.txt' }])
})

test.for([
  [['ls', 'papers'], 2, 'CLEW_STORAGE_PATH'],
  [['ls', 'ss://papers/a'], 2, 'CLEW_STORAGE_PATH'],
  [['cp', 'ss:///a/b', 'ss:///a/c'], 2, 'clew storage mv'],
  [['cp', 'a', 'b'], 2, 'Neither side is in storage'],
  [['cp', '/none', 'ss:///a/b'], 2, '/none is not there'],
  [['cp', 'ss:///none/a', '/tmp/never'], 15, 'Bucket not found'],
  [['cp', '-r', 'ss:///none/a', '/tmp/never'], 15, 'Object not found: /none/a'],
  [['cp', '-j', '0', 'a', 'ss:///a/b'], 2, '--jobs'],
  [['mv', 'ss:///a/b', 'ss:///c/b'], 2, 'another bucket'],
  [['mv', 'ss:///a/none', 'ss:///a/b'], 15, 'Object not found'],
  [['rm', 'ss:///a/'], 2, '-r'],
  [['rm'], 2, '-r'],
] as const)('%j ends with %i', async ([args, code, words], { place }) => {
  expect(await place.storage(...args)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) })
})

test('another project needs its address and its key', async () => {
  for (const args of [['--linked'], ['--url', 'http://127.0.0.1:1'], ['--url', 'here', '--key', 'k']])
    expect(await runCommand('storage', 'ls', ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('CLEW_START_SETTING'),
    })
})

test('a server cannot make a file outside of the folder, nor pass half a file for a whole one', async ({ place }) => {
  const { folder, write } = place
  const server = createServer((request, answer) => {
    if (request.method === 'POST')
      return answer.end(JSON.stringify(['../out.txt', 'cut.txt', 'in.txt'].map((name) => ({ name, id: 'x' }))))
    if (request.url?.endsWith('/cut.txt') === true) {
      answer.writeHead(200, { 'content-length': 10 })
      return answer.write('half', () => answer.destroy())
    }
    return answer.end('bytes')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const target = join(folder, 'target')
  await write('target/cut.txt', 'what was there')
  const project = ['--url', `http://127.0.0.1:${port}`, '--key', 'sb_secret_x']
  const { code, stderr } = await runCommand('storage', 'cp', '-r', 'ss:///b/', target, ...project)
  expect([code, stderr]).toEqual([1, expect.stringMatching(/outside[\s\S]*2 could not be copied/)])
  expect((await readdir(folder, { recursive: true })).sort()).toEqual([
    'target',
    'target/b',
    'target/b/in.txt',
    'target/cut.txt',
  ])
  expect(await readFile(join(target, 'cut.txt'), 'utf8')).toBe('what was there')
})
