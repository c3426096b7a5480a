import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { apiKeyId } from '../ground/jwt/api-keys.ts'
import { readAllSettings } from '../settings/index.ts'
import { directoryOf } from './directory.ts'
import { configuredKeys, loadKeys } from './keys.ts'
import { createKeyRotation } from './rotation.ts'
import { rotateApiKey } from './secrets/rotate.ts'

/** Two processes of one data directory, whose parent has the control socket. */
async function twoProcesses() {
  const folder = await mkdtemp(join(tmpdir(), 'clew-rotation-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const directory = directoryOf(folder)
  await mkdir(directory.sockets, { recursive: true })
  onTestFinished(() => rm(directory.sockets, { recursive: true, force: true }))
  const parent = createServer((_request, answer) => answer.writeHead(204).end())
  await new Promise<void>((resolve) => parent.listen(directory.control, resolve))
  onTestFinished(() => void parent.close())
  const { settings } = readAllSettings({
    ...{ flags: { data: folder, production: 'true' }, environment: {}, workingDirectory: folder },
  })
  const load = () => loadKeys(folder, true, () => new Date(), configuredKeys(settings))
  return { folder, load, one: createKeyRotation(settings, directory), other: createKeyRotation(settings, directory) }
}

test('of keys that several owners rotate and revoke at once, in two processes, none is lost', async () => {
  const { load, one, other } = await twoProcesses()
  const first = (await load()).api
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, n) => [
      one.api('secret'),
      other.api('publishable'),
      (n % 2 ? one : other).tokens('ES256'),
    ]).flat(),
  )
  const { api, tokens } = await load()
  const keys = [api.secretKey, api.publishableKey, ...api.earlierKeys.map(({ key }) => key)]
  const kids = tokens.jwks.keys.map(({ kid }) => kid)
  expect([...keys, ...kids]).toEqual(expect.arrayContaining([...made, first.secretKey, first.publishableKey]))
  const revoked = await Promise.all(api.earlierKeys.map(({ key }, n) => (n % 2 ? one : other).revoke(apiKeyId(key))))
  expect(revoked).toEqual(revoked.map(() => true))
  expect((await load()).api.earlierKeys).toEqual([])
})

test('of keys that command lines rotate beside the console, none is lost', async () => {
  const { folder, load, one } = await twoProcesses()
  const first = (await load()).api.secretKey
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2 ? one.api('secret') : rotateApiKey(folder, 'secret', () => new Date()).then(({ key }) => key),
    ),
  )
  const { api } = await load()
  const keys = [api.secretKey, ...api.earlierKeys.map(({ key }) => key)]
  expect(keys).toHaveLength(11)
  expect(keys).toEqual(expect.arrayContaining([first, ...made]))
})

test('a rotation waits for none that was killed', async () => {
  const { folder, load, one } = await twoProcesses()
  await load()
  const lock = join(folder, 'keys.json.lock')
  await writeFile(lock, '')
  const minutesAgo = new Date(Date.now() - 120_000)
  await utimes(lock, minutesAgo, minutesAgo)
  const key = await one.api('secret')
  expect((await load()).api.secretKey).toBe(key)
})
