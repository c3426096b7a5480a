import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveApplication } from './static.ts'

const folders: string[] = []
const app = Fastify()

/** A built application that is nothing but its page. */
async function folderWith(page: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-static-'))
  folders.push(folder)
  await writeFile(join(folder, 'index.html'), page)
  return folder
}

beforeAll(async () => {
  const inner = await folderWith('the console')
  const copies = ['app.js', 'app.js.br', 'app.js.gz', 'reader.js', 'reader.js.gz']
  await Promise.all(copies.map((name) => writeFile(join(inner, name), name)))
  await app.register(async (scope) => serveApplication(scope, inner), { prefix: '/console' })
  await serveApplication(app, await folderWith('the application'))
})
afterAll(async () => {
  await app.close()
  for (const folder of folders) await rm(folder, { recursive: true })
})

test.each([
  ['/', 'the application'],
  ['/orders', 'the application'],
  ['/console', 'the console'],
  ['/console?theme=dark', 'the console'],
  ['/console/', 'the console'],
  ['/console/sessions', 'the console'],
])('%s is a page of %s', async (url, page) => {
  const reply = await app.inject({ url, headers: { accept: 'text/html' } })
  expect([reply.statusCode, reply.body]).toEqual([200, page])
  expect(reply.headers['cache-control']).toBe('no-cache')
})

test.each(['/a%00', '/%00', '/console/%00', '/console/sessions/%00b'])(
  '%s is answered as any address without a file',
  async (url) => {
    const page = await app.inject({ url, headers: { accept: 'text/html' } })
    expect([page.statusCode, page.body]).toEqual([200, url.startsWith('/console') ? 'the console' : 'the application'])
    const file = await app.inject({ url: `${url}.js` })
    const missing = await app.inject({ url: '/none.js' })
    expect([file.statusCode, file.headers['content-type']]).toEqual([404, missing.headers['content-type']])
  },
)

test.each([
  ['gzip, deflate, br', 'reader.js', 'gzip'],
  ['gzip, deflate, br', 'app.js', 'br'],
  ['gzip, deflate', 'app.js', 'gzip'],
  ['identity', 'app.js', undefined],
])('with accept-encoding %s, the copy of %s that is sent is %s', async (accepted, file, encoding) => {
  const reply = await app.inject({ url: `/console/${file}`, headers: { 'accept-encoding': accepted } })
  expect([reply.statusCode, reply.headers['content-encoding']]).toEqual([200, encoding])
})
