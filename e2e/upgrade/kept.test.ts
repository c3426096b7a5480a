import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProduct } from '../support/product.ts'
import { expectAnswers } from './expect-answers.ts'
import { archiveOf, listKept, retention, unpack } from './kept.ts'

const kept = await listKept()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-kept-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('there is a kept data directory', () => {
  expect(kept.map(({ version }) => version)).toContain('0.1.0')
})

test.each(kept)('a data directory of $version is opened, and all in it answers as it did', async (expected) => {
  const { version, sessionId, answers } = expected
  const dataDir = join(folder, version)
  await unpack(archiveOf(version), dataDir)
  const product = await startProduct({ dataDir, env: retention })
  try {
    await expectAnswers(product, sessionId, answers)
  } finally {
    await product.stop()
  }
})
