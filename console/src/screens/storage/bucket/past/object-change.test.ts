import { expect, test } from 'vitest'
import { change } from '../../../../../test/answers/requests.ts'
import type { Cause, Change } from '../../../../lib/api/schemas.ts'
import { readObjectChange } from './object-change.ts'

const row = { bucket_id: 'photos', name: 'a.png', version: 'v1' }
const sql: Cause = { kind: 'sql' }
const operator = (action: string): Cause => ({
  kind: 'operator',
  ...{ action, requestId: 'r', operator: 'olga@example.test', actionId: 'a' },
})
const moved: Partial<Change> = { operation: 'update', columns: ['name', 'version'] }

test.each<readonly [word: string, from: string | null, facts: Partial<Change>, cause: Cause]>([
  ['uploaded', null, { operation: 'insert', old: null, new: row }, sql],
  ['uploaded', null, { operation: 'insert', old: null, new: row }, operator('object.upload')],
  ['restored', null, { operation: 'insert', old: null, new: row }, operator('object.restore')],
  ['removed', null, { operation: 'delete', old: row, new: null }, operator('object.delete')],
  ['replaced', null, { operation: 'update', old: row, new: row, columns: ['version', 'metadata'] }, sql],
  ['changed', null, { operation: 'update', old: row, new: row, columns: ['user_metadata'] }, sql],
  ['moved', 'b.png', { ...moved, old: { ...row, name: 'b.png' }, new: row }, sql],
  ['moved', 'old/a.png', { ...moved, columns: ['bucket_id'], old: { ...row, bucket_id: 'old' }, new: row }, sql],
  ['moved', null, { ...moved, old: null, new: row }, sql],
])('what happened is called %s, from %s', (word, from, facts, cause) => {
  const read = readObjectChange({ change: { ...change, ...facts }, cause })
  expect(read).toMatchObject({ word, from, bucketId: 'photos', key: 'a.png' })
})
