import type { NamingRows, Refusal, RowsChoice } from '../../../ground/privacy/account.ts'
import { type CertificateCheck, checkCertificate } from '../../../ground/privacy/certificate.ts'
import type { Subject } from '../../../ground/privacy/person.ts'
import { privacyError } from '../errors.ts'
import type { ErasuresDeps, KeptBackups, MetHold, PersonKey } from './deps.ts'
import { exportPerson } from './export.ts'
import {
  type ErasureRow,
  insertErasureStatement,
  type StoreCount,
  selectErasureStatement,
  selectErasuresStatement,
} from './store.ts'
import { type FoundSubject, findSubject } from './subject.ts'
import { causeOf, createErasureWork } from './work.ts'

/** What is kept of a person, and would be erased. */
export interface ErasurePreview {
  readonly personId: string | null
  readonly userId: string | null
  readonly hasAccount: boolean
  readonly ids: number
  readonly texts: FoundSubject['texts']
  readonly counts: readonly StoreCount[]
  readonly tables: readonly NamingRows[]
  readonly backups: KeptBackups
  /** Nothing is removed while there is one. */
  readonly holds: readonly MetHold[]
}

/** What an operator decides about an erasure. */
export interface ErasureWish {
  readonly key: PersonKey
  /** Looked for in what is kept of others. */
  readonly texts: readonly string[]
  readonly choices: readonly RowsChoice[]
  /** Whether nothing more is to be stored of their ids. */
  readonly refuses: boolean
}

/** The operator who asks. */
export interface Asking {
  readonly email: string
  readonly role: string
}

/** Erasures of people, and exports of what is kept of them. */
export interface PersonErasures {
  /** @throws CLEW_PRIVACY_PERSON_NOT_FOUND */
  preview(key: PersonKey): Promise<ErasurePreview>
  /** Tries out whether the database lets the account go; null where it does. @throws CLEW_PRIVACY_ROWS_NOT_FOUND */
  check(wish: Pick<ErasureWish, 'key' | 'choices'>): Promise<Refusal | null>
  /**
   * Begins an erasure.
   *
   * @throws CLEW_PRIVACY_PERSON_NOT_FOUND, CLEW_PRIVACY_HELD, CLEW_PRIVACY_ROWS_NOT_FOUND, CLEW_PRIVACY_ACCOUNT_REFUSED,
   *   CLEW_PRIVACY_ERASURE_OPEN
   */
  begin(id: string, wish: ErasureWish, by: Asking): Promise<ErasureRow>
  list(limit: number): Promise<readonly ErasureRow[]>
  /** @throws CLEW_PRIVACY_ERASURE_NOT_FOUND */
  one(id: string): Promise<ErasureRow>
  /** Whether a file is a certificate of this instance as it was signed. */
  verify(file: unknown): CertificateCheck
  /** All that is kept of a person as the text of one JSON object, in pieces. @throws CLEW_PRIVACY_PERSON_NOT_FOUND */
  export(key: PersonKey): Promise<AsyncIterable<string>>
  start(): void
  close(): Promise<void>
}

/** Opens erasures; the tables of all stores must have been migrated. */
export function createErasures(deps: ErasuresDeps): PersonErasures {
  const { sql, stores, account, people } = deps
  const work = createErasureWork(deps)
  const counted = async (subject: Subject): Promise<readonly StoreCount[]> => {
    const counts: StoreCount[] = []
    for (const store of stores) counts.push({ store: store.name, rows: await store.count(subject) })
    return counts
  }
  const refusalOf = async (userId: string | null, choices: readonly RowsChoice[]): Promise<Refusal | null> => {
    if (userId === null) return null
    checkChoices(choices, await account.namingRows(userId))
    const outcome = await account.erase(userId, choices, { cause: causeOf('trial'), end: 'rollback' })
    return outcome.kind === 'refused' ? outcome.refusal : null
  }
  return {
    async preview(key) {
      const { subject, hasAccount, texts } = await findSubject(deps, key)
      const { personId, userId, distinctIds } = subject
      return {
        ...{ personId, userId, hasAccount, ids: distinctIds.length, texts },
        counts: await counted(subject),
        tables: userId === null ? [] : await account.namingRows(userId),
        backups: await deps.backups(),
        holds: await deps.holdsOn(subject),
      }
    },
    async check({ key, choices }) {
      return refusalOf((await findSubject(deps, key)).subject.userId, choices)
    },
    async begin(id, { key, texts, choices, refuses }, { email, role }) {
      const { subject: found } = await findSubject(deps, key)
      const [hold] = await deps.holdsOn(found)
      if (hold !== undefined) throw privacyError('CLEW_PRIVACY_HELD', { details: hold.reason })
      const refusal = await refusalOf(found.userId, choices)
      if (refusal !== null) throw privacyError('CLEW_PRIVACY_ACCOUNT_REFUSED', { details: refusal.message })
      const subject = { ...found, texts, refuses }
      const counts = await counted(subject)
      if (refuses) await people.refuse(subject.distinctIds)
      const statement = insertErasureStatement({ id, subject, choices, counts, createdBy: email, createdByRole: role })
      const [row] = (await sql.query<ErasureRow>(statement)).rows
      if (row === undefined) throw privacyError('CLEW_PRIVACY_ERASURE_OPEN')
      work.wake()
      return row
    },
    list: async (limit) => (await sql.query<ErasureRow>(selectErasuresStatement(limit))).rows,
    async one(id) {
      const [row] = (await sql.query<ErasureRow>(selectErasureStatement(id))).rows
      if (row === undefined) throw privacyError('CLEW_PRIVACY_ERASURE_NOT_FOUND')
      return row
    },
    verify: (file) => checkCertificate(file, deps.publicKeys()),
    export: async (key) => exportPerson(deps, (await findSubject(deps, key)).subject),
    start: work.start,
    close: work.close,
  }
}

/** Choices name rows that the database has: nothing else of it is deleted. */
function checkChoices(choices: readonly RowsChoice[], known: readonly NamingRows[]): void {
  for (const { schema, table, column, action } of choices) {
    const rows = known.find((each) => each.schema === schema && each.table === table && each.column === column)
    if (rows === undefined || (action === 'set null' && !rows.canBeEmptied))
      throw privacyError('CLEW_PRIVACY_ROWS_NOT_FOUND', { details: `${schema}.${table}.${column}` })
  }
}
