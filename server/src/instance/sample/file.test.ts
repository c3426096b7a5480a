import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSample } from './file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-sample-'))
})
afterAll(() => rm(folder, { recursive: true }))

const head = '{"sample":1,"sessions":1,"until":2,"scenes":[{"recordedAt":1,"timeOfDay":"08:00:00"}]}'

async function read(bytes: Buffer | string[]) {
  const path = join(folder, 'visits.gz')
  await writeFile(path, Array.isArray(bytes) ? gzipSync(bytes.map((line) => `${line}\n`).join('')) : bytes)
  return readSample(path)
}

test('a sample is its head and its tables, in the file’s order', async () => {
  const { scenes, tables } = await read([
    head,
    '{"table":"b","rows":2}',
    '{"x":1}',
    '{"x":2}',
    '{"table":"a","rows":0}',
  ])
  expect(scenes).toEqual([{ recordedAt: 1, timeOfDay: '08:00:00' }])
  expect([...tables].map(([table, rows]) => [table, rows.map(String)])).toEqual([
    ['b', ['{"x":1}', '{"x":2}']],
    ['a', []],
  ])
})

test.each([
  ['no gzip', Buffer.from('hello'), 'incorrect header'],
  ['nothing in it', [], 'its first line does not say that it is one'],
  ['another version', ['{"sample":2}'], 'version 1'],
  ['no scenes', ['{"sample":1}'], 'when it was recorded'],
  ['a scene at no time', [head.replace('08:00:00', 'noon')], 'when it was recorded'],
  ['rows without a table', [head, '{"x":1}'], 'a table’s name'],
  ['fewer rows than it says', [head, '{"table":"a","rows":2}', '{}'], 'a has fewer rows'],
])('a file is refused with the reason: %s', async (_, bytes, reason) => {
  await expect(read(bytes)).rejects.toMatchObject({
    code: 'CLEW_START_PROJECT',
    message: expect.stringMatching(new RegExp(`visits.gz is not a sample: .*${reason}`)),
  })
})
