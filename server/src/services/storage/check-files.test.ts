import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../test/harness.ts'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import { checkFiles } from './check-files.ts'
import { createFolderStore } from './files/folder/folder-store.ts'

test('an object without its file, and one whose file is too short, are told by bucket and name', async ({ db }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-files-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = await createFolderStore(folder)
  await db.load(`insert into storage.buckets (id, name) values ('covers', 'covers')`)
  const versions = new Map<string, string>()
  for (const [name, text] of [
    ['whole', 'its text'],
    ['empty', ''],
    ['gone', 'its text'],
    ['cut', 'its text'],
  ] as const) {
    const version = uuidv7()
    versions.set(name, version)
    await files.put(version, Readable.from(text === '' ? [] : [Buffer.from(text)]), { limitBytes: 1000 })
    await db.admin.query({
      text: `insert into storage.objects (bucket_id, name, version, metadata) values ('covers', $1, $2, $3)`,
      values: [name, version, JSON.stringify({ size: text.length })],
    })
  }
  const check = (limit = 1000) => checkFiles(async (statement) => (await db.admin.query(statement)).rows, files, limit)
  expect(await check()).toEqual({ checked: 4, missing: [] })
  await files.remove([versions.get('gone') ?? ''])
  await truncate(files.pathOf?.(versions.get('cut') ?? '') ?? '', 3)
  const { checked, missing } = await check()
  expect([checked, missing.toSorted()]).toEqual([4, ['covers/cut', 'covers/gone']])
  expect((await check(2)).checked).toBe(2)
})
