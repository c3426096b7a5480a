import type { Sql } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { JsonObject } from '../../../ground/json/object.ts'
import type { Log } from '../../../ground/model/log.ts'
import type { StoredPerson } from '../../../ground/model/person.ts'
import type { Subject } from '../evaluate/evaluate.ts'
import type { Prepared, WantedRow } from '../evaluate/prepare.ts'
import type { StoredGroup } from '../ports.ts'
import {
  type MembershipsRow,
  type RowTypeRow,
  selectMembershipsStatement,
  selectRowsStatement,
  selectRowTypeStatement,
} from '../stored/store.ts'
import { firstBuckets } from '../subject.ts'

/** A person or a group that a flag is estimated for, by its distinct id or key. */
export interface NamedSubject {
  readonly name: string
  readonly subject: Subject
}

export interface SubjectsDeps {
  readonly sql: Pick<Sql, 'query'>
  /** Reads tables of the application as their owner. */
  readonly reader: Pick<Sql, 'query'>
  readonly log: Log
}

const nothing = {
  ...{ distinctId: '', deviceId: null, groups: {}, personProperties: {}, groupProperties: {} },
  ...{ cohorts: new Set<number>(), overrides: new Map(), buckets: new Map(), rows: new Map() },
} satisfies Subject

/** Groups of a type. Rows are those of a person, and so none is known. */
export const groupSubjects = (type: string, groups: readonly StoredGroup[]): readonly NamedSubject[] =>
  groups.map(({ key, properties }) => ({
    name: key,
    subject: {
      ...nothing,
      groups: { [type]: key },
      groupProperties: { [type]: { $group_key: key, ...properties } },
    },
  }))

/**
 * Stored persons, each by the first of their ids, with what is stored for them and their rows.
 *
 * @param targets rows that are looked at, by `rowTargetKey`
 */
export async function personSubjects(
  { sql, reader, log }: SubjectsDeps,
  persons: readonly StoredPerson[],
  { rows: known }: Prepared,
  targets: ReadonlySet<string>,
): Promise<readonly NamedSubject[]> {
  const ids = persons.flatMap(({ distinctIds }) => distinctIds)
  const users = persons.flatMap(({ userId }) => userId ?? [])
  const [memberships, tables] = await Promise.all([
    sql.query<MembershipsRow>(selectMembershipsStatement(ids)),
    Promise.all(
      [...targets].map(async (key) => [key, await findRowsOf({ reader, log }, known.get(key), users)] as const),
    ),
  ])
  const byId = new Map(memberships.rows.map((row) => [row.distinctId, row]))
  return persons.map(({ distinctIds, properties, userId }) => {
    const [distinctId = ''] = distinctIds
    const theirs = distinctIds.flatMap((id) => byId.get(id) ?? [])
    return {
      name: distinctId,
      subject: {
        ...nothing,
        distinctId,
        personProperties: { distinct_id: distinctId, ...properties },
        cohorts: new Set(theirs.flatMap(({ cohorts }) => cohorts)),
        // As of a call: of several ids the last decides.
        overrides: new Map(theirs.flatMap(({ overrides }) => overrides.map(({ flag, value }) => [flag, value]))),
        buckets: firstBuckets({ buckets: theirs.flatMap(({ buckets }) => buckets).toSorted(byTime) }),
        rows: new Map(
          tables.flatMap(([key, rows]) =>
            rows === null ? [] : [[key, (userId && rows.get(userId)) || null] as const],
          ),
        ),
      },
    }
  })
}

type KeptBucket = MembershipsRow['buckets'][number]
const byTime = (left: KeptBucket, right: KeptBucket): number => left.keptMs - right.keptMs

/** The rows of users in a table, by their ids; null where the table cannot be read. */
async function findRowsOf(
  { reader, log }: Pick<SubjectsDeps, 'reader' | 'log'>,
  wanted: WantedRow | undefined,
  users: readonly string[],
): Promise<ReadonlyMap<string, JsonObject> | null> {
  if (wanted === undefined) return null
  const { target, columns } = wanted
  try {
    const [type] = (await reader.query<RowTypeRow>(selectRowTypeStatement(target))).rows
    if (type === undefined) return null
    const statement = selectRowsStatement(target, [...columns], type, users)
    const { rows } = await reader.query<{ id: string; row: JsonObject }>(statement)
    return new Map(rows.map(({ id, row }) => [id, row]))
  } catch (error) {
    log.warn({ table: target.table, reason: messageOf(error) }, 'flags: an estimate could not read a table')
    return null
  }
}
