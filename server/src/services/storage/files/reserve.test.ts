import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { openStorage } from '../../../../test/storage-app.ts'
import { createFolderStore } from './folder/folder-store.ts'
import { withReserve } from './reserve.ts'

test('while the disk is short of space uploads are refused and downloads are not, until there is space again', async ({
  db,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-reserve-'))
  let isShort = false
  const files = withReserve(await createFolderStore(folder), () => isShort)
  try {
    const app = await openStorage(db, { files })
    await db.load(`insert into storage.buckets (id, name) values ('b', 'b')`)
    const bucket = app.client().from('b')
    const large = Buffer.alloc(300_000, 'x')
    expect((await bucket.upload('old', large)).error).toBeNull()
    isShort = true
    for (const body of ['short', large]) {
      const { error } = await bucket.upload('new', body)
      expect(error).toMatchObject({ statusCode: '507' })
    }
    expect((await bucket.copy('old', 'twice')).error).toMatchObject({ statusCode: '507' })
    expect((await bucket.download('old')).data?.size).toBe(large.length)
    isShort = false
    expect((await bucket.upload('new', large)).error).toBeNull()
    expect((await bucket.remove(['old'])).error).toBeNull()
  } finally {
    await files.close()
    await rm(folder, { recursive: true, force: true })
  }
})
