import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stateNames } from './state-files.ts'
import { draftOf, finishSwap, swapCluster } from './swap-cluster.ts'

class Killed extends Error {}

/** Steps until the process is killed. */
const killedAfter = (steps: number) => {
  let left = steps
  return () => {
    if (left === 0) throw new Killed()
    left -= 1
  }
}

test('killed at any step, a swap leaves the old cluster or the new one, whole, and is ended by the next start', async () => {
  const found: string[] = []
  for (let steps = 0; ; steps += 1) {
    const data = await mkdtemp(join(tmpdir(), 'clew-swap-'))
    onTestFinished(() => rm(data, { recursive: true, force: true }))
    const cluster = join(data, 'postgres')
    for (const [folder, version] of [
      [cluster, '17'],
      [draftOf(cluster), '18'],
    ] as const) {
      await mkdir(folder)
      await writeFile(join(folder, 'PG_VERSION'), version)
    }
    expect(await stateNames(data)).toEqual(['postgres'])
    const error = await swapCluster(cluster, killedAfter(steps)).catch((cause: unknown) => cause)
    const state = (await stateNames(data)).join(' ')
    await finishSwap(cluster)
    found.push(`${state}: ${await readFile(join(cluster, 'PG_VERSION'), 'utf8')}`)
    expect(
      (await readdir(data)).filter((name) => name !== 'postgres' && join(data, name) !== draftOf(cluster)),
    ).toEqual([])
    if (error === undefined) break
    expect(error).toBeInstanceOf(Killed)
  }
  expect(found).toEqual([
    'postgres: 17',
    'postgres postgres.next: 18',
    'postgres.before postgres.next: 18',
    'postgres postgres.before: 18',
    'postgres: 18',
  ])
})
