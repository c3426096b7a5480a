import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { directoryOf } from '../../instance/directory.ts'
import { keyFileOf, loadKeys, parseRootKeyIds, type RootKeyIds } from '../../instance/keys.ts'
import { rotateRoot } from '../../instance/secrets/rotate-root.ts'
import { readAllSettings } from '../../settings/index.ts'
import { checkKeys, checkRestored, checkUses } from './doctor-keys.ts'
import type { Finding } from './finding.ts'

const replacedAt = new Date('2026-01-02T03:04:05Z')
const now = (): Date => replacedAt
const lines = (found: readonly Finding[]) =>
  found.map(({ about, problem, note }) => `${problem === null ? '' : '✗ '}${about}: ${problem ?? note}`)

/** A data directory with keys, and what the check says of it. */
async function directory() {
  const data = await mkdtemp(join(tmpdir(), 'clew-doctor-'))
  onTestFinished(() => rm(data, { recursive: true }))
  const check = async (environment: Readonly<Record<string, string>> = {}, isRunning = false) => {
    const { settings } = readAllSettings({ flags: { data }, environment, workingDirectory: data })
    return lines(await checkKeys(settings, isRunning))
  }
  const rotate = (tell: () => Promise<unknown> = async () => undefined) =>
    rotateRoot({ dataDir: data, production: false, now, keep: async () => undefined, tell })
  return { data, path: keyFileOf(data), check, rotate, load: () => loadKeys(data, false, now) }
}

test('a data directory without keys has nothing that is wrong with them', async () => {
  const { check } = await directory()
  expect(await check()).toEqual([])
})

test('keys that others may read are a finding', async () => {
  const { path, check, load } = await directory()
  const [current = ''] = (await load()).roots.map(({ id }) => id)
  const ring = `root keys: one; ${current} is the current one`
  expect(await check()).toEqual(['keys: for their owner only', ring])
  await chmod(path, 0o640)
  expect(await check()).toEqual(['✗ keys: others may read them', ring])
})

test('an instance that does not answer, or whose version knows no root keys, ends no check', async () => {
  const { data, check, load } = await directory()
  await load()
  expect(await check({}, true)).toHaveLength(2)
  const { control } = directoryOf(data)
  await mkdir(dirname(control), { recursive: true })
  const earlier = createServer((_request, answer) => answer.writeHead(404).end('{}'))
  await new Promise<void>((resolve) => earlier.listen(control, resolve))
  onTestFinished(() => void earlier.close())
  expect(await check({}, true)).toHaveLength(2)
})

test('the ring is told, and a rotation that was not finished', async () => {
  const { check, load, rotate } = await directory()
  await load()
  await rotate()
  await expect(rotate(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  const [current, next] = (await load()).roots.map(({ id }) => id)
  expect((await check()).slice(1)).toEqual([
    `root keys: 2, of which 1 from before; ${current} is the current one`,
    `✗ root keys: the rotation to ${next} was not finished`,
  ])
  await rotate()
  expect((await check()).slice(1)).toEqual([`root keys: 3, of which 2 from before; ${next} is the current one`])
})

test.each([
  ['{', 'is no JSON'],
  ['null', 'has no keys'],
  ['[]', 'has no keys'],
])('a keys.json of %s is a finding, and ends no check', async (text, problem) => {
  const { path, check } = await directory()
  await writeFile(path, text, { mode: 0o600 })
  expect((await check())[1]).toMatch(new RegExp(`^✗ root keys: .*keys.json ${problem}`))
})

test('keys from before root keys have none', async () => {
  const { path, check } = await directory()
  await writeFile(path, '{}', { mode: 0o600 })
  expect((await check())[1]).toBe('root keys: none yet, the next start makes one')
})

test('a place of backups that cannot be used, or leaves keys out, is a finding', async () => {
  const { data, check, load } = await directory()
  await load()
  const place = { CLEW_BACKUP_FOLDER: join(data, 'backups') }
  expect((await check(place))[2]).toBe('✗ root keys: backups leave them out')
  const sealed = { ...place, CLEW_BACKUP_PASSPHRASE: 'a passphrase of a test' }
  expect((await check(sealed))[2]).toBe('root keys: no backup has them yet')
  await writeFile(join(data, 'backups'), 'a file')
  expect((await check(sealed))[2]).toMatch(/^✗ root keys: /)
})

const ring: RootKeyIds = { current: 'c'.repeat(16), next: null, earlier: [{ id: 'e'.repeat(16), replacedAt }] }
const used = (...contents: readonly { readonly name: string; readonly count: number; readonly moves: boolean }[]) => ({
  rootKeys: [
    { id: 'c'.repeat(16), replacedAt: null, isCurrent: true, contents: [] },
    { id: 'e'.repeat(16), replacedAt: replacedAt.toISOString(), isCurrent: false, contents },
  ],
  lost: [],
})

test('of an earlier root key is told what is under it, or that it can be retired', () => {
  expect(lines(checkUses(ring, used()))).toEqual([
    `root keys: nothing is under ${'e'.repeat(16)}, replaced 2026-01-02T03:04:05.000Z: forget it by clew keys retire ${'e'.repeat(16)}`,
  ])
  expect(lines(checkUses(ring, used({ name: 'access tokens', count: 2, moves: false })))).toEqual([
    `root keys: still under ${'e'.repeat(16)}, replaced 2026-01-02T03:04:05.000Z: access tokens: 2`,
  ])
})

test('what is under no root key that is there is a finding', () => {
  const lost = [
    { name: 'keys of exports', count: 2 },
    { name: 'passwords of operators', count: 1 },
  ]
  expect(lines(checkUses(ring, { ...used(), lost }))[1]).toBe(
    '✗ root keys: under none of them: keys of exports: 2, passwords of operators: 1',
  )
})

test('an instance that runs with other root keys than the file has is a finding', () => {
  expect(lines(checkUses({ ...ring, earlier: [] }, used()))).toEqual([
    '✗ root keys: the running instance has others than keys.json',
  ])
})

test('a root key that a restore would lack is named', async () => {
  const { data, load, rotate } = await directory()
  await load()
  const before = await readFile(keyFileOf(data))
  await rotate()
  const after = await readFile(keyFileOf(data))
  const rotated = parseRootKeyIds(after.toString(), 'keys.json')
  const say = (keysJson: Buffer | null) => lines([checkRestored(rotated, { id: 'B', keysJson })])
  expect(say(before)).toEqual([
    `✗ root keys: a restore of the newest backup, B, would lack ${rotated.current}, and what is under it`,
  ])
  expect(say(after)).toEqual(['root keys: a restore of the newest backup, B, brings them'])
  expect(say(null)).toEqual(['✗ root keys: the newest backup, B, has no keys'])
  expect(lines([checkRestored(rotated, null)])).toEqual(['root keys: no backup has them yet'])
})
