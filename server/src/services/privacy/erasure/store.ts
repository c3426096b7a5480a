import type { ErasedTable, RowsChoice } from '../../../ground/privacy/account.ts'
import type { Certificate } from '../../../ground/privacy/certificate.ts'
import type { Subject } from '../../../ground/privacy/person.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { JobTable } from '../leased-rows.ts'

/** A step that is done. */
export interface ErasureStep {
  /** 1, and 2 for what was on its way meanwhile. */
  readonly pass: number
  readonly store: string
  readonly removed: number
  readonly rewritten: number
  /** Of the account: what became of rows that named it. */
  readonly tables?: readonly ErasedTable[]
}

/** What a store kept of a person. */
export interface StoreCount {
  readonly store: string
  readonly rows: number
}

/** The erasure of a person. */
export interface ErasureRow {
  readonly id: string
  /** Null once it is done. */
  readonly subject: Subject | null
  readonly choices: readonly RowsChoice[]
  readonly counts: readonly StoreCount[]
  readonly refuses: boolean
  readonly createdBy: string
  readonly createdByRole: string
  readonly createdAt: Date
  readonly state: 'waiting' | 'running' | 'done'
  readonly done: readonly ErasureStep[]
  /** 0 before it begins. */
  readonly steps: number
  readonly store: string | null
  readonly endedAt: Date | null
  readonly error: string | null
  readonly certificate: Certificate | null
}

const columns = sql`
  id, subject, choices, counts, refuses, created_by as "createdBy", created_by_role as "createdByRole",
  created_at as "createdAt", state, done, steps, store, ended_at as "endedAt", error, certificate`

/** What an operator asks for. */
export type NewErasure = Pick<ErasureRow, 'id' | 'choices' | 'counts' | 'createdBy' | 'createdByRole'> & {
  readonly subject: Subject
}

/** Stores an erasure; no row where one of the person is under way. */
export const insertErasureStatement = (erasure: NewErasure): Statement => {
  const { id, subject, choices, counts, createdBy, createdByRole } = erasure
  return compile(sql`
    insert into clew_privacy.erasures (id, subject, choices, counts, refuses, created_by, created_by_role)
    values (
      ${typed(id, 'uuid')}, ${typed(JSON.stringify(subject), 'jsonb')}, ${typed(JSON.stringify(choices), 'jsonb')},
      ${typed(JSON.stringify(counts), 'jsonb')}, ${typed(subject.refuses, 'boolean')}, ${createdBy}, ${createdByRole}
    )
    on conflict do nothing
    returning ${columns}`)
}

export const erasureTable: JobTable = { name: 'erasures', idType: 'uuid', columns }

/** Keeps which store an erasure is at work on. */
export const erasureAtStatement = (id: string, store: string): Statement =>
  compile(sql`
    update clew_privacy.erasures
    set store = ${store}
    where id = ${typed(id, 'uuid')}`)

export const erasureStepStatement = (id: string, step: ErasureStep): Statement =>
  compile(sql`
    update clew_privacy.erasures
    set done = done || ${typed(JSON.stringify(step), 'jsonb')}, store = null, error = null
    where id = ${typed(id, 'uuid')}
    returning done`)

/** Ends an erasure: with its certificate, and without the names of the person. */
export const erasureDoneStatement = (id: string, certificate: Certificate, endedAt: Date): Statement =>
  compile(sql`
    update clew_privacy.erasures
    set state = 'done', subject = null, store = null, error = null, ended_at = ${endedAt},
      certificate = ${typed(JSON.stringify(certificate), 'jsonb')}
    where id = ${typed(id, 'uuid')}`)

/** Erasures, the newest first. */
export const selectErasuresStatement = (limit: number): Statement =>
  compile(sql`
    select ${columns}
    from clew_privacy.erasures
    order by erasures.created_at desc, erasures.id desc
    limit ${typed(limit, 'int')}`)

export const selectErasureStatement = (id: string): Statement =>
  compile(sql`select ${columns} from clew_privacy.erasures where erasures.id = ${typed(id, 'uuid')}`)
