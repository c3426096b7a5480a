import { expect, test } from 'vitest'
import { objectOfRequest, readableQuery } from './request-text.ts'

test.each([
  ['', ''],
  ['select=id%2Cname%28%2A%29', '?select=id,name(*)'],
  ['?q=flat+white', '?q=flat white'],
  ['q=100%', '?q=100%'],
])('%s reads %s', (query, text) => {
  expect(readableQuery(query)).toBe(text)
})

const resumable = btoa('photos/a b.png/01a203d8-0000-7000-8000-000000000001').replaceAll('=', '')

test.for([
  ['/storage/v1/object/photos/cakes/a%20b.png', 'photos/cakes/a b.png'],
  ['/storage/v1/object/public/photos/a.png', 'photos/a.png'],
  ['/storage/v1/render/image/sign/photos/a.png', 'photos/a.png'],
  [`/storage/v1/upload/resumable/${resumable}`, 'photos/a b.png'],
  ['/storage/v1/object/list/photos', null],
  ['/storage/v1/object/photos', null],
  ['/storage/v1/upload/resumable', null],
  ['/storage/v1/object/photos/%zz', null],
  ['/rest/v1/orders', null],
] as const)('%s is about the object %s', ([path, object]) => {
  expect(objectOfRequest(path)).toBe(object)
})
