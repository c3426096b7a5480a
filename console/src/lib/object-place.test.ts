import { expect, test } from 'vitest'
import { findObjectPlace } from './object-place.ts'

const text = { type: 'text', references: null }
const buckets = new Set(['photos'])
const api = 'http://127.0.0.1:54321/storage/v1'

test.for([
  ['photos/cakes/tart.png', { bucket: 'photos', search: { object: 'cakes/tart.png', folder: 'cakes/' } }],
  ['photos/tart.png', { bucket: 'photos', search: { object: 'tart.png' } }],
  [`${api}/object/public/photos/a%20b/1.png`, { bucket: 'photos', search: { object: 'a b/1.png', folder: 'a b/' } }],
  [`${api}/object/sign/photos/1.png?token=x.y`, { bucket: 'photos', search: { object: '1.png' } }],
  [`${api}/render/image/public/photos/1.png?width=90`, { bucket: 'photos', search: { object: '1.png' } }],
  [`${api}/object/public/photos/100%.png`, { bucket: 'photos', search: { object: '100%.png' } }],
  ['other/tart.png', undefined],
  ['photos', undefined],
  ['photos/', undefined],
  ['cakes and/or tarts', undefined],
  [`${api}/object/public/other/1.png`, undefined],
  [null, undefined],
] as const)('%s', ([value, place]) => {
  expect(findObjectPlace(text, value, buckets)).toEqual(place)
})

test('a reference to storage.objects is an object’s id; no other type is looked at', () => {
  const references = { schema: 'storage', table: 'objects', column: 'id' }
  expect(findObjectPlace({ type: 'uuid', references }, 'o1', new Set())).toEqual({ id: 'o1' })
  expect(findObjectPlace({ type: 'jsonb', references: null }, 'photos/tart.png', buckets)).toBeUndefined()
})
