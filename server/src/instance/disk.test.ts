import { expect, test } from 'vitest'
import { watchDisk } from './disk.ts'

const mib = 1024 ** 2

async function diskWith(freeMib: number) {
  let freeBytes = freeMib * mib
  const disk = await watchDisk({
    ...{ folder: '/data', wantedMib: 1024, reserveMib: 256 },
    read: async () => ({ freeBytes, totalBytes: 4096 * mib }),
  })
  return {
    disk,
    async have(next: number) {
      freeBytes = next * mib
      await disk.look()
    },
  }
}

test.each([
  [1024, 'up', false],
  [1023, 'degraded', false],
  [256, 'degraded', false],
  [255, 'degraded', true],
  [65, 'degraded', true],
  [64, 'down', true],
] as const)('with %i MiB free the disk is %s', async (freeMib, state, isShort) => {
  const { disk } = await diskWith(freeMib)
  expect(await disk.health()).toMatchObject({ name: 'disk', state })
  expect(disk.isShort()).toBe(isShort)
  await disk.close()
})

test('health says what is refused', async () => {
  const { disk } = await diskWith(100)
  expect((await disk.health()).detail).toBe(
    '100 MiB free for /data, the reserve of 256 MiB (disk_reserve_mib) is reached: make room, or give it a larger disk; until then events, recordings and files are refused, and requests are not recorded.',
  )
  await disk.close()
})

test('what is refused below the reserve is taken again above a tenth more', async () => {
  const { disk, have } = await diskWith(300)
  const seen: boolean[] = []
  for (const freeMib of [255, 270, 281, 282, 260]) {
    await have(freeMib)
    seen.push(disk.isShort())
  }
  expect(seen).toEqual([true, true, true, false, false])
  await disk.close()
})

test('a look that fails leaves what was known', async () => {
  let isGone = false
  const disk = await watchDisk({
    ...{ folder: '/data', wantedMib: 1024, reserveMib: 256 },
    read: async () => {
      if (isGone) throw new Error('ENOENT')
      return { freeBytes: 100 * mib, totalBytes: 200 * mib }
    },
  })
  isGone = true
  await expect(disk.look()).rejects.toThrow('ENOENT')
  expect([disk.isShort(), disk.freeBytes(), disk.totalBytes()]).toEqual([true, 100 * mib, 200 * mib])
  await disk.close()
})

test('the space of a real folder is read', async () => {
  const disk = await watchDisk({ folder: '/', wantedMib: 0, reserveMib: 0 })
  expect(disk.totalBytes()).toBeGreaterThan(disk.freeBytes())
  expect(disk.isShort()).toBe(false)
  await disk.close()
})
