import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createWriteBack } from './write-back.ts'

const mib = 1024 * 1024
const folder = await mkdtemp(join(tmpdir(), 'clew-write-back-'))
afterAll(() => rm(folder, { recursive: true }))

test('a file that the disk cannot take is told at the end', async () => {
  const writeBack = createWriteBack()
  await writeFile(join(folder, 'there'), 'x')
  writeBack.wrote(join(folder, 'there'), mib)
  writeBack.wrote(join(folder, 'gone'), 63 * mib)
  await expect(writeBack.end()).rejects.toThrow('ENOENT')
})

test('a little is left to the last flush', async () => {
  const writeBack = createWriteBack()
  writeBack.wrote(join(folder, 'gone'), mib)
  await expect(writeBack.end()).resolves.toBeUndefined()
})
