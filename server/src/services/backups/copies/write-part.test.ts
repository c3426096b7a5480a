import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { memoryAtPage } from './memory-at-page.ts'
import { writePart } from './write-part.ts'

const mib = 1024 * 1024
// On a disk, where the folder of other temporary files may be in memory.
const folder = await mkdtemp('/var/tmp/clew-write-part-')
afterAll(() => rm(folder, { recursive: true }))
const modifiedMs = 1_700_000_000_000

/** A part of two MiB at `offset`. */
const partOf = (name: string, fileBytes: number, offset: number, sizeBytes = 2 * mib) => ({
  ...{ path: join(folder, name), mode: 0o600, modifiedMs },
  ...{ fileBytes, offset, sizeBytes },
})

/** Two MiB and more at a page. */
function bytesAtPage(): Uint8Array {
  const bytes = memoryAtPage(3 * mib)
  bytes.set(randomBytes(bytes.length))
  return bytes
}

const tellsCached = spawnSync('fincore', ['--version']).status === 0
/** Bytes of a file that are in the page cache. */
function cachedBytes(name: string): number {
  const { stdout } = spawnSync('fincore', ['--bytes', '--noheadings', '--output', 'RES', join(folder, name)])
  return Number(stdout.toString())
}

test.skipIf(!tellsCached)('what is kept goes past the page cache, what is not stays in it', () => {
  const bytes = bytesAtPage().subarray(0, 2 * mib)
  writePart(partOf('kept', 2 * mib, 0), bytes, { isAtPage: true, isKept: true })
  writePart(partOf('not-kept', 2 * mib, 0), bytes, { isAtPage: true, isKept: false })
  expect({ kept: cachedBytes('kept'), notKept: cachedBytes('not-kept') }).toEqual({ kept: 0, notKept: 2 * mib })
})

test('the parts of a file that does not end with a page are written in any order', async () => {
  const bytes = bytesAtPage()
  const fileBytes = 2 * mib + 1234
  writePart(partOf('parts', fileBytes, 2 * mib, 1234), bytes.subarray(2 * mib, fileBytes), {
    isAtPage: false,
    isKept: true,
  })
  writePart(partOf('parts', fileBytes, 0), bytes.subarray(0, 2 * mib), { isAtPage: true, isKept: true })
  expect((await readFile(join(folder, 'parts'))).equals(bytes.subarray(0, fileBytes))).toBe(true)
  expect((await stat(join(folder, 'parts'))).mtimeMs).toBe(modifiedMs)
})

test('bytes that the system does not take past the page cache are written through it', async () => {
  // They are not at a page, which a disk refuses.
  const bytes = bytesAtPage().subarray(1, 1 + 2 * mib)
  writePart(partOf('refused', 2 * mib, 0), bytes, { isAtPage: true, isKept: true })
  expect((await readFile(join(folder, 'refused'))).equals(bytes)).toBe(true)
})
