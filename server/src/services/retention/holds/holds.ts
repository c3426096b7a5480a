import type { PersonKey, RetentionDeps } from '../deps.ts'
import { retentionError } from '../errors.ts'
import {
  endHoldStatement,
  type HoldRow,
  insertHoldStatement,
  selectHoldStatement,
  selectHoldsStatement,
  selectOpenHoldsStatement,
  updateIdsStatement,
} from './store.ts'

/** What a hold keeps. */
export type HeldSubject =
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'person'; readonly key: PersonKey }
  | { readonly kind: 'span'; readonly from: Date; readonly to: Date | null }

/** A hold as an operator wants it. */
export interface HoldWish {
  readonly subject: HeldSubject
  readonly reason: string
  /** Null until an owner ends it. */
  readonly until: Date | null
}

/** Legal holds: what they keep is removed by no lifetime, budget or erasure while they are open. */
export interface Holds {
  /** Those that are open first, the newest first. */
  list(limit: number): Promise<readonly HoldRow[]>
  /** @throws CLEW_RETENTION_HOLD_NOT_FOUND */
  find(id: string): Promise<HoldRow>
  /**
   * @param by e-mail address
   * @throws CLEW_RETENTION_PERSON_NOT_FOUND, CLEW_RETENTION_SPAN, CLEW_RETENTION_TOO_MANY
   */
  place(id: string, wish: HoldWish, by: string): Promise<HoldRow>
  /** @throws CLEW_RETENTION_HOLD_NOT_FOUND, CLEW_RETENTION_HOLD_ENDED */
  end(id: string, by: string, reason: string): Promise<HoldRow>
  /** Whether a hold keeps anything at this moment. */
  isOpen(hold: HoldRow): boolean
  /** Open holds, with the ids by which their people are known now. */
  open(): Promise<readonly HoldRow[]>
}

/** The holds of all operators, in their table. */
export function createHolds({ sql, findPerson, settings, now }: RetentionDeps): Holds {
  const find = async (id: string): Promise<HoldRow> => {
    const [hold] = (await sql.query<HoldRow>(selectHoldStatement(id))).rows
    if (hold === undefined) throw retentionError('CLEW_RETENTION_HOLD_NOT_FOUND')
    return hold
  }
  const placeOf = async (subject: HeldSubject) => {
    const none = { sessionId: null, personId: null, userId: null, ids: [], fromAt: null, toAt: null }
    if (subject.kind === 'session') return { ...none, kind: subject.kind, sessionId: subject.sessionId }
    if (subject.kind === 'span') return { ...none, kind: subject.kind, fromAt: subject.from, toAt: subject.to }
    const known = await findPerson(subject.key)
    const userId = 'userId' in subject.key ? subject.key.userId : (known?.userId ?? null)
    // A user without a visit is known by their own id.
    if (known === null && userId === null) throw retentionError('CLEW_RETENTION_PERSON_NOT_FOUND')
    const ids = idsOf(known?.distinctIds ?? [], userId)
    return { ...none, kind: subject.kind, personId: known?.personId ?? null, userId, ids }
  }
  const follow = async (hold: HoldRow): Promise<HoldRow> => {
    if (hold.kind !== 'person') return hold
    const { id, personId, userId, ids } = hold
    const found = [
      personId === null ? null : await findPerson({ personId }),
      userId === null ? null : await findPerson({ userId }),
    ]
    const all = idsOf([...ids, ...found.flatMap((known) => known?.distinctIds ?? [])], userId)
    if (all.length > ids.length) await sql.query(updateIdsStatement(id, all))
    return { ...hold, ids: all }
  }

  return {
    list: async (limit) => (await sql.query<HoldRow>(selectHoldsStatement(now(), limit))).rows,
    find,
    async place(id, { subject, reason, until }, createdBy) {
      const createdAt = now()
      const isBackwards = subject.kind === 'span' && subject.to !== null && subject.to <= subject.from
      if (isBackwards || (until !== null && until <= createdAt)) throw retentionError('CLEW_RETENTION_SPAN')
      const hold = { id, ...(await placeOf(subject)), reason, createdBy, createdAt, until }
      const [row] = (await sql.query<HoldRow>(insertHoldStatement(hold, settings.maxHolds))).rows
      if (row === undefined) throw retentionError('CLEW_RETENTION_TOO_MANY')
      return row
    },
    async end(id, by, reason) {
      await find(id)
      const [row] = (await sql.query<HoldRow>(endHoldStatement(id, by, reason, now()))).rows
      if (row === undefined) throw retentionError('CLEW_RETENTION_HOLD_ENDED')
      return row
    },
    isOpen: ({ endedAt, until }) => endedAt === null && (until === null || until > now()),
    async open() {
      const holds: HoldRow[] = []
      for (const hold of (await sql.query<HoldRow>(selectOpenHoldsStatement(now()))).rows)
        holds.push(await follow(hold))
      return holds
    },
  }
}

const idsOf = (ids: readonly string[], userId: string | null): readonly string[] => [
  ...new Set([...ids, ...(userId === null ? [] : [userId])]),
]
