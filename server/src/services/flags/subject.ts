import type { Sql } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import type { FlagCall } from '../../ground/flags/flags.ts'
import type { JsonObject } from '../../ground/json/object.ts'
import type { Log } from '../../ground/model/log.ts'
import type { StoredPerson } from '../../ground/model/person.ts'
import type { Consent } from '../../ground/privacy/consent.ts'
import type { Subject } from './evaluate/evaluate.ts'
import type { Prepared } from './evaluate/prepare.ts'
import type { GroupsPort, PeoplePort } from './ports.ts'
import type { Needs } from './stored/needs.ts'
import {
  keepBucketStatement,
  type MembershipRow,
  selectMembershipStatement,
  selectRowStatement,
} from './stored/store.ts'

export interface SubjectDeps {
  readonly sql: Pick<Sql, 'query'>
  /** Reads tables of the application as their owner. */
  readonly reader: Pick<Sql, 'query'>
  readonly people: Pick<PeoplePort, 'person'>
  readonly groups: GroupsPort
  readonly consent: Pick<Consent, 'among'>
  readonly log: Log
}

const noMembership: MembershipRow = { cohorts: [], overrides: [], buckets: [] }

/** Looks up what the flags of a project ask of a call's person and groups. */
export async function findSubject(
  { sql, reader, people, groups, consent, log }: SubjectDeps,
  call: FlagCall,
  { rows: targets }: Prepared,
  needs: Needs,
): Promise<Subject> {
  const { distinctId } = call
  const person = needs.person ? await people.person(distinctId) : null
  const [membership, rows, groupProperties] = await Promise.all([
    needs.membership ? findMembership({ sql, consent }, call, person, needs.keeping) : noMembership,
    findRows({ reader, log }, targets, person?.userId ?? null),
    needs.groups ? findGroups(groups, call) : call.groupProperties,
  ])
  return {
    distinctId,
    deviceId: call.deviceId,
    groups: call.groups,
    personProperties: { distinct_id: distinctId, ...person?.properties, ...call.personProperties },
    groupProperties,
    cohorts: new Set(membership.cohorts),
    // Of several ids of a person the last that is named decides; the one of the call was stored last, if at all.
    overrides: new Map(membership.overrides.map(({ flag, value }) => [flag, value])),
    buckets: firstBuckets(membership),
    rows,
  }
}

/** Of each flag that keeps them, the bucket that was kept first. */
export function firstBuckets({ buckets }: Pick<MembershipRow, 'buckets'>): ReadonlyMap<number, string> {
  const first = new Map<number, string>()
  for (const { flag, bucket } of buckets) if (!first.has(flag)) first.set(flag, bucket)
  return first
}

/**
 * What is stored of the person; the first call after they identified themselves keeps their buckets. Without consent it
 * answers by them, and keeps nothing.
 */
async function findMembership(
  { sql, consent }: Pick<SubjectDeps, 'sql' | 'consent'>,
  { distinctId, anonymousId }: FlagCall,
  person: StoredPerson | null,
  keeping: readonly number[],
): Promise<MembershipRow> {
  const ids = [...new Set([distinctId, ...(person?.distinctIds ?? []), ...(anonymousId === null ? [] : [anonymousId])])]
  const find = async (): Promise<MembershipRow> =>
    (await sql.query<MembershipRow>(selectMembershipStatement(ids))).rows[0] ?? noMembership
  const found = await find()
  if (anonymousId === null || anonymousId === distinctId) return found
  const kept = firstBuckets(found)
  const missing = keeping.filter((id) => !kept.has(id))
  if (missing.length === 0) return found
  const allowed = await consent.among([distinctId, anonymousId])
  if (allowed.size < 2)
    return { ...found, buckets: [...found.buckets, ...missing.map((flag) => ({ flag, bucket: anonymousId }))] }
  await sql.query(keepBucketStatement(missing, distinctId, anonymousId))
  // Read again: a call beside this one may have kept another bucket first.
  return find()
}

/** One look into each table: the user's row, null without one. A table that cannot be read is left out. */
async function findRows(
  { reader, log }: Pick<SubjectDeps, 'reader' | 'log'>,
  targets: Prepared['rows'],
  userId: string | null,
): Promise<Subject['rows']> {
  const found = await Promise.all(
    [...targets].map(async ([key, { target, columns }]): Promise<readonly [string, JsonObject | null] | null> => {
      if (userId === null) return [key, null]
      try {
        const statement = selectRowStatement(target, [...columns], userId)
        const { rows } = await reader.query<{ row: JsonObject }>(statement)
        return [key, rows[0]?.row ?? null]
      } catch (error) {
        log.warn({ table: target.table, reason: messageOf(error) }, 'flags: a row condition could not read its table')
        return null
      }
    }),
  )
  return new Map(found.filter((entry) => entry !== null))
}

async function findGroups(groups: GroupsPort, call: FlagCall): Promise<Subject['groupProperties']> {
  const entries = await Promise.all(
    Object.entries(call.groups).map(async ([type, key]): Promise<[string, JsonObject]> => {
      const sent = Object.hasOwn(call.groupProperties, type) ? call.groupProperties[type] : undefined
      return [type, { $group_key: key, ...(await groups.properties(type, key)), ...sent }]
    }),
  )
  return Object.fromEntries(entries)
}
