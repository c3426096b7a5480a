import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { Log } from '../../../ground/model/log.ts'
import type { AccountEraser } from '../../../ground/privacy/account.ts'
import type { CertificateKey } from '../../../ground/privacy/certificate.ts'
import type { PersonStore, Subject } from '../../../ground/privacy/person.ts'

/** A person of analytics, by every name that is known of them. */
export interface KnownPerson {
  readonly personId: string
  readonly userId: string | null
  readonly distinctIds: readonly string[]
  /** E-mail addresses, phone numbers and names. */
  readonly texts: readonly string[]
}

/** The person of an id of analytics, or of a user. */
export type PersonKey = { readonly personId: string } | { readonly userId: string }

/** What erasures ask of analytics. */
export interface KnownPeople {
  find(by: PersonKey): Promise<KnownPerson | null>
  /** Sessions of these ids, the latest first. */
  sessionIds(distinctIds: readonly string[], limit: number): Promise<readonly string[]>
  /** Keeps that nothing more is stored of these ids. */
  refuse(distinctIds: readonly string[]): Promise<void>
}

/** Backups that hold what is erased. */
export interface KeptBackups {
  readonly count: number
  /** When the last of them is gone at the latest; null where there is none, or none is ever removed. */
  readonly until: Date | null
}

/** A legal hold. */
export interface MetHold {
  readonly id: string
  readonly reason: string
  /** Null until an owner ends it. */
  readonly until: Date | null
}

/** What erasures need of engines and other services. */
export interface ErasuresDeps {
  readonly sql: Sql
  readonly clickhouse: Pick<ClickHouse, 'query'>
  /** In the order in which they are erased: what is found by rows of another store goes before it. */
  readonly stores: readonly PersonStore[]
  readonly account: AccountEraser
  readonly people: KnownPeople
  readonly backups: () => Promise<KeptBackups>
  /** The open holds that keep something of these ids: while there is one, nothing of the person is removed. */
  readonly holdsOn: (person: Pick<Subject, 'distinctIds'>) => Promise<readonly MetHold[]>
  /** Resolves when the history of rows has what was committed before. */
  readonly changesCaughtUp: (signal: AbortSignal) => Promise<unknown>
  /** That of now, which signs. */
  readonly key: () => CertificateKey
  /** Public keys of the instance, by which a certificate is known as its own. */
  readonly publicKeys: () => readonly string[]
  /** Milliseconds until each store is looked at once more; ten seconds where nothing is said. */
  readonly settleMs?: number
  /** As in `LeasedWorkDeps`. */
  readonly leaseMs?: number
  readonly now: () => Date
  readonly log: Log
}
