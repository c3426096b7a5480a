import { expect, test } from 'vitest'
import { compareVersions, type OwnVersion, planUpgrade, type UpgradePlan } from './plan-upgrade.ts'
import type { VersionRecord } from './version-record.ts'

const own: OwnVersion = {
  version: '0.2.0',
  clickhouse: '3.4.0',
  migrations: ['clickhouse/replay/0001_snapshots', 'postgres/notes/0001_notes', 'postgres/notes/0002_places'],
}
const same: VersionRecord = { ...own, upgrade: null }
const before: VersionRecord = {
  ...{ version: '0.1.0', clickhouse: '3.3.9', upgrade: null },
  migrations: own.migrations.slice(0, 2),
}
const after: VersionRecord = {
  ...{ version: '0.3.0', clickhouse: '3.5.0', upgrade: null },
  migrations: [...own.migrations, 'postgres/maps/0001_maps'],
}
const unfinished = { from: '0.1.0', restorePoint: '20260131T120000000Z' }
const refused = { kind: 'refuse', version: '0.3.0', restorePoint: null } as const

test.each<[rule: string, record: VersionRecord | null, plan: UpgradePlan]>([
  ['data of this version are started', same, { kind: 'start' }],
  ['data of an earlier version are kept first', before, { kind: 'upgrade', from: '0.1.0' }],
  ['data that name no version are kept first', null, { kind: 'upgrade', from: null }],
  [
    'a migration more is an upgrade, also of one version',
    { ...same, migrations: before.migrations },
    { kind: 'upgrade', from: '0.2.0' },
  ],
  [
    'a version more is an upgrade, also without migrations',
    { ...same, version: '0.1.9' },
    { kind: 'upgrade', from: '0.1.9' },
  ],
  ['a newer ClickHouse is an upgrade', { ...same, clickhouse: '3.3.10' }, { kind: 'upgrade', from: '0.2.0' }],
  ['an upgrade that did not end goes on', { ...same, upgrade: unfinished }, { kind: 'continue', ...unfinished }],
  [
    'so does that of an earlier version, by what was kept before it',
    { ...before, upgrade: unfinished },
    { kind: 'continue', ...unfinished },
  ],
  ['newer data are refused', after, { ...refused, unknown: ['postgres/maps/0001_maps'] }],
  [
    'so are those of an upgrade to a newer version that did not end, with the way back',
    { ...after, upgrade: unfinished },
    { ...refused, unknown: ['postgres/maps/0001_maps'], restorePoint: unfinished.restorePoint },
  ],
  [
    'data that a newer ClickHouse has written are refused',
    { ...same, version: '0.3.0', clickhouse: '3.4.1' },
    { ...refused, unknown: [] },
  ],
  ['a later version whose migrations are all known is no obstacle', { ...same, version: '0.2.1' }, { kind: 'start' }],
])('%s', (_, record, plan) => {
  expect(planUpgrade(own, record, true)).toEqual(plan)
})

test('where there are no data yet, there is nothing to keep or refuse', () => {
  for (const record of [null, before, after, same]) expect(planUpgrade(own, record, false)).toEqual({ kind: 'start' })
})

test.each([
  ['0.10.0', '0.9.9', 1],
  ['0.2.0', '0.2.0-beta.1', 0],
  ['1.0.0', '0.99.0', 1],
  ['3.4.0', '3.4.0', 0],
])('%s against %s', (one, other, sign) => {
  expect(Math.sign(compareVersions(one, other))).toBe(sign)
  expect(Math.sign(compareVersions(other, one))).toBe(sign === 0 ? 0 : -sign)
})
