import { beforeEach, expect, test } from 'vitest'
import { tusStorageOf } from '../tus-storage.ts'
import { createUploadRecords } from './upload-records.ts'

const target = { bucketId: 'photos', key: 'a/b.mp4', sizeBytes: 20_000_000, lastModified: 1_700_000_000_000 }
const url = 'http://127.0.0.1:54323/console/api/storage/uploads/x'
const first = createUploadRecords(localStorage, 'first')
const second = createUploadRecords(localStorage, 'second')
beforeEach(() => localStorage.clear())

test('an upload is kept for other pages until it is stored, with the page that sends it', async () => {
  const begun = tusStorageOf(first, target)
  const id = await begun.addUpload('', {
    uploadUrl: url,
    size: null,
    metadata: {},
    creationTime: '',
    urlStorageKey: '',
    parallelUploadUrls: null,
  })
  expect(second.list()).toEqual([{ ...target, id, url, pageId: 'first' }])
  expect(await tusStorageOf(second, target).findUploadsByFingerprint('')).toMatchObject([{ uploadUrl: url }])
  expect(first.list().map(({ pageId }) => pageId)).toEqual(['second'])
  await begun.removeUpload(id)
  expect(second.list()).toEqual([])
})

test.for([
  ['another bucket', { bucketId: 'archive' }],
  ['another key', { key: 'a/c.mp4' }],
  ['another size', { sizeBytes: 1 }],
  ['a file that was changed since', { lastModified: 1_700_000_000_001 }],
] as const)('an upload does not go on with %s', ([, other]) => {
  first.add(target, url)
  expect(first.find({ ...target, ...other })).toBeUndefined()
  expect(first.find(target)).toMatchObject({ url })
})

test('what the browser kept in another form is passed over', () => {
  localStorage.setItem('clew-upload x', 'not JSON')
  localStorage.setItem('clew-upload y', '{"key":"a"}')
  localStorage.setItem('theme', 'dark')
  expect(first.list()).toEqual([])
})
