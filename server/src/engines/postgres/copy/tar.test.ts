import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { readTar } from './tar.ts'

/** Buffers of one memory, each there until the next is asked for. */
async function* inOneMemory(bytes: Buffer, size: number): AsyncGenerator<Buffer, void> {
  const memory = Buffer.alloc(size)
  for (let at = 0; at < bytes.length; at += size) {
    const copied = bytes.copy(memory, 0, at, at + size)
    yield memory.subarray(0, copied)
    memory.fill(0xff)
  }
}

test('files are read whole from memory that is used again, and small ones stay while others are read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-tar-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = { a: randomBytes(10), b: randomBytes(3 * 1024 ** 2 + 7), c: randomBytes(700_000), d: randomBytes(1) }
  await mkdir(join(folder, 'files'))
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, 'files', name), bytes)
  const archive = join(folder, 'archive.tar')
  await promisify(execFile)('tar', [
    '--format=ustar',
    '-cf',
    archive,
    '-C',
    join(folder, 'files'),
    ...Object.keys(files),
  ])

  const small = new Map<string, Buffer>()
  for await (const { path, sizeBytes, read } of readTar(inOneMemory(await readFile(archive), 32_768))) {
    if (sizeBytes < 1024 ** 2) small.set(path, await read(sizeBytes))
    else expect((await read(sizeBytes)).equals(files.b)).toBe(true)
  }
  expect([...small.keys()]).toEqual(['a', 'c', 'd'])
  for (const name of ['a', 'c', 'd'] as const) expect(small.get(name)?.equals(files[name])).toBe(true)
})
