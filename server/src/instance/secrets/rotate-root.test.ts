import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { certificateKeyOf, retiredCertificateKeyOf } from '../../ground/privacy/certificate.ts'
import { keyFileOf, loadKeys } from '../keys.ts'
import { joinRoots } from './join-roots.ts'
import { rotateApiKey } from './rotate.ts'
import { type RootRotationDeps, retireRoot, rotateRoot } from './rotate-root.ts'

const now = (): Date => new Date('2026-01-02T03:04:05Z')

async function directory() {
  const dataDir = await mkdtemp(join(tmpdir(), 'clew-root-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const load = () => loadKeys(dataDir, true, now)
  const first = await load()
  const rotate = (deps: Partial<RootRotationDeps> = {}) =>
    rotateRoot({ dataDir, production: true, now, keep: async () => undefined, tell: async () => undefined, ...deps })
  return { dataDir, load, first, rotate }
}

const idsOf = ({ roots }: Awaited<ReturnType<typeof loadKeys>>) => roots.map(({ id }) => id)

test('a new root key opens in every process before it counts in one, and all else stays', async () => {
  const { load, first, rotate } = await directory()
  const told: string[][] = []
  const { id, replacedId } = await rotate({ tell: async () => void told.push(idsOf(await load())) })
  expect(told).toEqual([
    [replacedId, id],
    [id, replacedId],
  ])
  const after = await load()
  expect(idsOf(first)).toEqual([replacedId])
  expect(after.earlierRoots).toEqual([{ id: replacedId, replacedAt: now() }])
  expect([after.api, after.databasePassword, after.ingestToken]).toEqual([
    first.api,
    first.databasePassword,
    first.ingestToken,
  ])
})

test.each(['keep', 'tell'] as const)('a rotation that ends where it should %s is done by the next', async (step) => {
  const { load, first, rotate } = await directory()
  const ended = async (): Promise<void> => {
    throw new Error('gone')
  }
  await expect(rotate({ [step]: ended })).rejects.toThrow('gone')
  const [counts, next] = idsOf(await load())
  expect([counts]).toEqual(idsOf(first))
  expect((await rotate()).id).toBe(next)
  expect(idsOf(await load())).toEqual([next, counts])
})

test('rotations at once, beside those of other keys, lose no key and come to one', async () => {
  const { dataDir, load, first, rotate } = await directory()
  const kept = new Set<string>()
  const keep = async (secret: string): Promise<void> => void kept.add(secret)
  await Promise.all([rotate({ keep }), rotateApiKey(dataDir, 'secret', now), rotate({ keep }), rotate({ keep })])
  const { roots, api } = await load()
  expect(roots.map(({ secret }) => secret)).toEqual(
    expect.arrayContaining([...kept, ...first.roots.map(({ secret }) => secret)]),
  )
  expect(roots[0]?.secret).toBe([...kept].at(-1))
  expect(api.earlierKeys.map(({ key }) => key)).toEqual([first.api.secretKey])
})

test('a retired root key is forgotten, but for what its certificates are known by', async () => {
  const { dataDir, load, first, rotate } = await directory()
  const { replacedId } = await rotate()
  expect(await retireRoot(dataDir, replacedId)).toBe(true)
  const [root] = first.roots
  const { roots, retiredCertificateKeys } = await load()
  expect(roots).toHaveLength(1)
  expect(retiredCertificateKeys).toEqual([retiredCertificateKeyOf(root?.secret ?? '')])
  expect(retiredCertificateKeys[0]?.publicKey).toBe(certificateKeyOf(root?.secret ?? '').publicKey)
  expect(await readFile(keyFileOf(dataDir), 'utf8')).not.toContain(root?.secret)
  expect(await retireRoot(dataDir, replacedId)).toBe(false)
})

test('retirements at once, beside a rotation, forget the key once and no other', async () => {
  const { dataDir, load, rotate } = await directory()
  const { id: current, replacedId } = await rotate()
  const retirements = [retireRoot(dataDir, replacedId), rotate(), retireRoot(dataDir, replacedId)] as const
  const [first, { id: next }, second] = await Promise.all(retirements)
  expect([first, second].filter((isRetired) => isRetired)).toHaveLength(1)
  const { roots, retiredCertificateKeys } = await load()
  expect(roots.map(({ id }) => id)).toEqual([next, current])
  expect(retiredCertificateKeys).toHaveLength(1)
})

test('the root key that counts, or will, is not retired', async () => {
  const { dataDir, load, rotate } = await directory()
  await expect(rotate({ tell: () => Promise.reject(new Error('gone')) })).rejects.toThrow('gone')
  for (const id of idsOf(await load())) expect(await retireRoot(dataDir, id)).toBe(false)
})

test('a copy of keys.json takes the root keys that were made after it', async () => {
  const { dataDir, load, first, rotate } = await directory()
  const copy = await readFile(keyFileOf(dataDir))
  const later: { keptAt: Date; key: Buffer }[] = []
  const keep = async (secret: string): Promise<void> => void later.push({ keptAt: now(), key: Buffer.from(secret) })
  await rotate({ keep })
  await rotate({ keep })
  const joined = JSON.parse(joinRoots(copy, later).toString())
  const rotated = JSON.parse(await readFile(keyFileOf(dataDir), 'utf8'))
  expect(joined).toEqual(rotated)
  // One that the copy has is not in it twice.
  expect(JSON.parse(joinRoots(joinRoots(copy, later), later).toString())).toEqual(rotated)
  expect((await load()).roots.at(-1)).toEqual(first.roots[0])
})
