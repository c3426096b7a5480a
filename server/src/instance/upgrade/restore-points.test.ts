import { link, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bytesOfPoint, createPointsMeasure, pointFolder, removePoint } from './restore-points.ts'

const [older, newer] = ['20260131T120000000Z', '20260201T120000000Z']

/** A data directory with a file that two restore points share with it, one that both share, and one of each alone. */
async function openPoints() {
  const data = await mkdtemp(join(tmpdir(), 'clew-points-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  await writeFile(join(data, 'present'), Buffer.alloc(1000))
  await writeFile(join(data, 'replaced'), Buffer.alloc(200))
  for (const id of [older, newer]) {
    await mkdir(pointFolder(data, id), { recursive: true })
    for (const name of ['present', 'replaced']) await link(join(data, name), join(pointFolder(data, id), name))
    await writeFile(join(pointFolder(data, id), 'own'), Buffer.alloc(30))
  }
  const clock = { now: new Date('2026-02-02T00:00:00Z') }
  return { data, clock, measure: createPointsMeasure(data, () => clock.now) }
}

test('restore points take what no file of the data directory shares, once where two have it', async () => {
  const { data, clock, measure } = await openPoints()
  expect(await measure()).toBe(60)
  await rm(join(data, 'replaced'))
  clock.now = new Date('2026-02-02T00:59:59Z')
  expect(await measure()).toBe(60)
  clock.now = new Date('2026-02-02T01:00:00Z')
  expect(await measure()).toBe(260)
  expect(await bytesOfPoint(data, newer)).toBe(30)
})

test('one that is removed is counted no more at once, and what it shared is the other’s', async () => {
  const { data, measure } = await openPoints()
  await rm(join(data, 'replaced'))
  expect(await measure()).toBe(260)
  await removePoint(data, older)
  expect(await measure()).toBe(230)
  expect(await bytesOfPoint(data, newer)).toBe(230)
})

test('without restore points they take nothing', async () => {
  const data = await mkdtemp(join(tmpdir(), 'clew-points-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  expect(await createPointsMeasure(data, () => new Date())()).toBe(0)
})
