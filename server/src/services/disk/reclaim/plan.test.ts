import { expect, test } from 'vitest'
import type { KeptTable } from '../../../ground/model/service-tables.ts'
import { planReclaim, type Reclaim, type StoredPartition } from './plan.ts'

const now = new Date('2026-03-10T12:00:00Z')
const table = (name: string, partition: KeptTable['partition'], expires = true): KeptTable => ({
  ...{ kind: 'requests', name, time: 'time', partition, expires, ties: {} },
})
const requests = table('requests', 'day')
const statements = table('statements', 'day')
const snapshots = table('snapshots', 'week')
const changes = table('changes', null)
const events = table('events', null, false)
const part = (name: string, id: string, bytes: number): StoredPartition => ({ table: name, id, bytes })
const ofDays = [
  part('requests', '20260310', 100),
  part('statements', '20260308', 30),
  part('requests', '20260309', 100),
  part('requests', '20260308', 100),
]

const inWords = (steps: readonly Reclaim[]): readonly string[] =>
  steps.map((step) => {
    if (step.kind === 'drop') return `drop ${step.table} ${step.partition}`
    if (step.kind === 'delete before') return `${step.table.name} before ${step.before.toISOString()}`
    return `${step.table.name} by ${step.share.toFixed(3)}`
  })

test.each([
  ['without limits nothing is deleted', [requests], ofDays, null, null, []],
  ['within the budget nothing is deleted', [requests, statements], ofDays, 330, null, []],
  ['the oldest day goes first', [requests, statements], ofDays, 300, null, ['drop requests 20260308']],
  [
    'all tables of a kind share its budget',
    [requests, statements],
    ofDays,
    229,
    null,
    ['drop requests 20260308', 'drop statements 20260308'],
  ],
  [
    'the day that is being written stays',
    [requests, statements],
    ofDays,
    1,
    null,
    ['drop requests 20260308', 'drop statements 20260308', 'drop requests 20260309'],
  ],
  [
    'a day goes once all of it is past its time',
    [requests, statements],
    ofDays,
    null,
    1,
    ['drop requests 20260308', 'drop statements 20260308'],
  ],
  [
    'a week goes once all of it is past its time',
    [snapshots],
    [part('snapshots', '20260302', 9)],
    null,
    1,
    ['drop snapshots 20260302'],
  ],
  ['a week that is not over stays', [snapshots], [part('snapshots', '20260309', 9)], 1, null, []],
  ['a partition of an unknown name stays', [requests], [part('requests', 'all', 9)], 1, 1, []],
  [
    'a table without partitions is cut to nine tenths of its budget',
    [changes],
    [part('changes', 'all', 200)],
    100,
    null,
    ['changes by 0.550'],
  ],
  ['a table with a lifetime is left to it', [changes], [part('changes', 'all', 9)], null, 3, []],
  [
    'a table without one loses what is past its days',
    [events],
    [part('events', 'all', 9)],
    null,
    3,
    ['events before 2026-03-07T12:00:00.000Z'],
  ],
] as const)('%s', (_title, tables, partitions, budgetBytes, days, words) => {
  expect(inWords(planReclaim(tables, partitions, { budgetBytes, days }, now))).toEqual(words)
})
