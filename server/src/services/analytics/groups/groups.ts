import type { Sql } from '../../../engines/postgres/index.ts'
import type { JsonObject } from '../../../ground/json/object.ts'
import type { Log } from '../../../ground/model/log.ts'
import { applyProperties } from '../identity/merge.ts'
import { markApplied } from '../identity/store.ts'
import { type GroupChange, mostTypes } from './change.ts'
import {
  type GroupRow,
  insertTypesStatement,
  lockGroupsStatement,
  selectGroupsStatement,
  selectSomeGroupsStatement,
  selectTypesStatement,
  upsertGroupsStatement,
} from './store.ts'

export interface GroupsDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly log: Log
}

/** Groups of persons, as companies are, and their types. */
export interface Groups {
  /** Whether a type has a number, or can have none any more: it need not be named again. */
  isKnownType(type: string): boolean
  /** Applies changes in order, in one transaction; a change that was applied before is not applied again. */
  apply(changes: readonly GroupChange[]): Promise<void>
  /** What is known of a group; null where it was never described. */
  properties(type: string, key: string): Promise<JsonObject | null>
  /** Groups of a type, those seen latest first. */
  some(type: string, limit: number): Promise<readonly Pick<GroupRow, 'key' | 'properties'>[]>
  /** The types by their numbers. */
  types(): Promise<ReadonlyMap<number, string>>
}

interface TypeRow {
  readonly type: string
  readonly index: number
}

type Described = Extract<GroupChange, { readonly kind: 'properties' }>

/** Groups in PostgreSQL. */
export function createGroups({ sql: database, now, log }: GroupsDeps): Groups {
  let known: readonly string[] = []

  return {
    isKnownType: (type) => known.includes(type) || known.length >= mostTypes,

    async apply(changes) {
      const { types, refused } = await database.transaction((tx) => applyChanges(tx, changes, now()))
      known = types
      if (refused.length > 0) log.info({ types: refused }, 'groups: there are five types already')
    },

    async properties(type, key) {
      const { rows } = await database.query<GroupRow>(selectGroupsStatement([{ type, key }]))
      return rows[0]?.properties ?? null
    },

    async some(type, limit) {
      return (await database.query<GroupRow>(selectSomeGroupsStatement(type, limit))).rows
    },

    async types() {
      const { rows } = await database.query<TypeRow>(selectTypesStatement())
      return new Map(rows.map(({ type, index }) => [index, type]))
    },
  }
}

async function applyChanges(tx: Sql, changes: readonly GroupChange[], at: Date) {
  await tx.query(lockGroupsStatement())
  const before = (await tx.query<TypeRow>(selectTypesStatement())).rows.map(({ type }) => type)
  const named = new Set(changes.flatMap((change) => (change.kind === 'types' ? change.types : [change.type])))
  const fresh = [...named].filter((type) => !before.includes(type))
  const added = fresh.slice(0, mostTypes - before.length)
  const types = [...before, ...added]
  const numbered = added.map((type, place) => ({ type, index: before.length + place }))
  if (numbered.length > 0) await tx.query(insertTypesStatement(numbered, at))
  const described = changes.filter(
    (change): change is Described => change.kind === 'properties' && types.includes(change.type),
  )
  if (described.length > 0) await describe(tx, described, at)
  return { types, refused: fresh.slice(added.length) }
}

async function describe(tx: Sql, changes: readonly Described[], at: Date): Promise<void> {
  const uuids = changes.map(({ uuid }) => uuid)
  const fresh = new Set(await markApplied(tx, uuids, at))
  const nameOf = ({ type, key }: Pick<GroupRow, 'type' | 'key'>): string => JSON.stringify([type, key])
  const { rows } = await tx.query<GroupRow>(selectGroupsStatement(changes))
  const groups = new Map(rows.map((row) => [nameOf(row), { ...row, propertyTimes: row.property_times }]))
  for (const change of changes) {
    // A uuid twice in one batch is fresh once.
    if (!fresh.delete(change.uuid)) continue
    const { type, key, set, atMs } = change
    const group = groups.get(nameOf(change)) ?? {
      ...{ type, key, properties: {}, propertyTimes: {}, property_times: {} },
      created_at: new Date(Math.max(atMs, 0)),
    }
    groups.set(nameOf(change), applyProperties(group, { set, setOnce: null, unset: [], atMs }))
  }
  const written = [...groups.values()].map(({ propertyTimes, ...group }) => ({
    ...group,
    property_times: propertyTimes,
  }))
  await tx.query(upsertGroupsStatement(written))
}
