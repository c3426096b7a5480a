import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { analyticsError } from '../errors.ts'
import type { PeopleDeps } from './deps.ts'
import {
  type DeviceRow,
  type GroupOfPersonRow,
  type IdRow,
  type PersonRow,
  selectDevicesStatement,
  selectGroupsOfIdsStatement,
  selectIdsStatement,
  selectPersonStatement,
} from './person-store.ts'
import { renderPerson } from './render.ts'
import type { PersonDetail } from './schemas.ts'
import { findActivity } from './visitor-days.ts'

/** All but who the user is, which another service knows. */
export type StoredDetail = Omit<PersonDetail, 'user'>

const idsShown = 200
/** Bound values travel in the address, which a server reads to some 16 KiB. */
const idsPerQuestion = 50
const recentMs = 90 * 24 * 3_600_000
const mostDevices = 20
const mostGroups = 50

/**
 * One person with all that is stored of them.
 *
 * @throws CLEW_PEOPLE_NOT_FOUND
 */
export async function findPerson({ sql, clickhouse, now }: PeopleDeps, id: string): Promise<StoredDetail> {
  const [row] = (await sql.query<PersonRow>(selectPersonStatement(id, idsShown))).rows
  if (row === undefined) throw analyticsError('CLEW_PEOPLE_NOT_FOUND')
  const some = row.allIds.slice(0, idsPerQuestion)
  const from = new Date(now().getTime() - recentMs)
  const [activity, ids, devices, groups] = await Promise.all([
    findActivity(clickhouse, [some], now()),
    idsOf(clickhouse, row.allIds),
    some.length === 0 ? [] : clickhouse.query<DeviceRow>(selectDevicesStatement(some, from, mostDevices)),
    some.length === 0 ? [] : clickhouse.query<GroupOfPersonRow>(selectGroupsOfIdsStatement(some, from, mostGroups)),
  ])
  return {
    person: renderPerson(row, activity.get(0)),
    ids: row.allIds.map((each) => renderId(each, ids.get(each))),
    idCount: row.ids,
    properties: Object.entries(row.properties)
      .toSorted(([left], [right]) => left.localeCompare(right))
      .map(([name, value]) => ({ name, value, setAt: instantOrNull(row.propertyTimes[name]) })),
    devices: devices.map((device) => ({
      ...{ browser: device.browser, os: device.os, kind: device.device_type, events: Number(device.event_count) },
      lastSeenAt: instantOf(device.last_ms),
    })),
    groups: groups.map(({ type, key, last_ms }) => ({ type, key, lastSeenAt: instantOf(last_ms) })),
  }
}

async function idsOf(
  { query }: Pick<ClickHouse, 'query'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, IdRow>> {
  const found = new Map<string, IdRow>()
  for (let from = 0; from < ids.length; from += idsPerQuestion)
    for (const row of await query<IdRow>(selectIdsStatement(ids.slice(from, from + idsPerQuestion))))
      found.set(row.distinct_id, row)
  return found
}

const renderId = (id: string, row: IdRow | undefined): PersonDetail['ids'][number] => ({
  id,
  events: Number(row?.event_count ?? 0),
  sessions: Number(row?.session_count ?? 0),
  firstSeenAt: row === undefined ? null : instantOf(row.first_ms),
  lastSeenAt: row === undefined ? null : instantOf(row.last_ms),
})

const instantOf = (milliseconds: string | number): string => new Date(Number(milliseconds)).toISOString()
/** A client's clock may say what no date can. */
const instantOrNull = (milliseconds: number | undefined): string | null =>
  milliseconds === undefined || Math.abs(milliseconds) > 8.64e15 ? null : instantOf(milliseconds)
