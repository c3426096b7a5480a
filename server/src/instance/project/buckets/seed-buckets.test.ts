import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { openStorage } from '../../../../test/storage-app.ts'
import { openStorageApi } from '../../../transfer/index.ts'
import { prepareHistory } from '../migrations/history.ts'
import { keepBuckets } from './seed-buckets.ts'

test('each start gives buckets their properties, and the first one their files; a start that failed is gone on with', async ({
  db,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-buckets-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = join(folder, 'supabase', 'files')
  await mkdir(files, { recursive: true })
  await writeFile(join(files, 'a.txt'), 'a')
  await writeFile(join(files, 'b.txt'), 'b')
  const app = await openStorage(db)
  const api = openStorageApi({ url: app.url, key: app.token('service_role') })
  await prepareHistory(db.admin, db.owner)
  const keep = (limit: number, store = api) =>
    keepBuckets({
      folder,
      owner: db.owner,
      buckets: { papers: { file_size_limit: limit, objects_path: './files' } },
      store,
      log: () => undefined,
    })
  const broken: typeof api = {
    ...api,
    upload: (address, source) =>
      address.key === 'b.txt' ? Promise.reject(new Error('cut off')) : api.upload(address, source),
  }
  await expect(keep(10, broken)).rejects.toMatchObject({
    code: 'CLEW_START_PROJECT',
    message: 'supabase/files/b.txt => papers/b.txt: cut off',
  })
  expect(await keep(10)).toEqual({ created: 0, updated: 0, uploaded: 1 })
  await app.client().from('papers').remove(['a.txt'])
  expect(await keep(10)).toEqual({ created: 0, updated: 0, uploaded: 0 })
  expect(await keep(20)).toEqual({ created: 0, updated: 1, uploaded: 0 })
  expect(await app.sql(`select name, file_size_limit::int as size_limit from storage.buckets`)).toEqual([
    { name: 'papers', size_limit: 20 },
  ])
  expect(await app.sql('select name from storage.objects')).toEqual([{ name: 'b.txt' }])
})
