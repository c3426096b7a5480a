import type { Sql } from '../../../engines/postgres/index.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { OpenTopic } from '../../../ground/model/topic.ts'
import type { Storage } from '../storage.ts'

/** What the console’s part of the service needs of it. */
export type ConsoleStorage = Pick<Storage, 'buckets' | 'images' | 'objects' | 'reads' | 'resumable' | 'signer' | 'sql'>

/** The dependencies of the console’s part of storage. */
export interface StorageConsoleDeps {
  readonly storage: ConsoleStorage
  /** The tables of `clew_storage`. */
  readonly sql: Pick<Sql, 'query'>
  /** Makes policies as the application’s owner. */
  readonly owner: Pick<Sql, 'query'>
  readonly actions: OperatorActions
  /** Where the application’s API is, for URLs of objects. */
  readonly apiUrl: string
  /** The service’s own limit of an object, in bytes. */
  readonly fileSizeLimit: number
  /** Joins the processes, whichever of them undoes a deletion; this one is alone where nothing is given. */
  readonly topic?: OpenTopic
  readonly now: () => Date
  /** A UUID. */
  readonly newId: () => string
}
