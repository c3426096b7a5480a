import type { Session, SessionCall, SessionResult } from '../../../engines/postgres/index.ts'
import type { RequestContext } from '../../../ground/model/request.ts'
import type { Statement } from '../../../ground/sql/postgres.ts'
import { type StorageCaller, type StorageRequest, serviceCaller } from '../http/caller.ts'
import { toStorageError } from './database-error.ts'

/** One statement of an operation. Column values arrive as PostgreSQL's text. */
export interface StorageCall {
  readonly statement: Statement
  /** Run before the statement in its transaction: it sees what the statement does not, such as a lock that was waited for. */
  readonly before?: Statement
  /** Run after the statement in its transaction, as the service role: it sees what policies hide. */
  readonly afterAsService?: Statement
  readonly readOnly?: boolean
  /** How long a lock is waited for; the database's own time without it. */
  readonly lockTimeoutMs?: number
}

/** What is to be done before a transaction is committed; what it throws rolls back. */
type BeforeCommit = NonNullable<SessionCall<Row>['check']>

type Row = Record<string, string | null>

/** The statements of requests, each in a transaction of its own, in one round trip (storage §2). */
export interface StorageSql {
  /** As the caller, with row-level security. @throws AccessDenied and others of storage §1 */
  asCaller<R extends Row>(request: StorageRequest, caller: StorageCaller, call: StorageCall): Promise<SessionResult<R>>
  /** As the service role. It is not cancelled when the client disconnects, unless it only reads. */
  asService<R extends Row>(request: StorageRequest, call: StorageCall): Promise<SessionResult<R>>
  /** As the caller, and committed once `beforeCommit` is done. Not cancelled when the client disconnects. @throws as `asCaller` */
  asCallerAfter<R extends Row>(
    request: StorageRequest,
    caller: StorageCaller,
    call: StorageCall,
    beforeCommit: BeforeCommit,
  ): Promise<SessionResult<R>>
  /** As the service role, for no request. */
  inBackground<R extends Row>(statement: Statement): Promise<SessionResult<R>>
  /** Whether the caller may: the statement runs with its triggers and policies, and is rolled back. @throws as `asCaller` */
  test<R extends Row>(
    request: StorageRequest,
    caller: StorageCaller,
    call: Pick<StorageCall, 'statement' | 'afterAsService'>,
  ): Promise<SessionResult<R>>
}

/** The names a policy may leave unqualified. */
const searchPath = 'storage, public, extensions'

/** @param session runs statements as the roles of callers */
export function createStorageSql(session: Pick<Session, 'run'>): StorageSql {
  const run = async <R extends Row>(call: SessionCall<R>): Promise<SessionResult<R>> => {
    try {
      return await session.run(call)
    } catch (error) {
      throw toStorageError(error) ?? error
    }
  }
  const plan = (
    request: StorageRequest,
    caller: StorageCaller,
    { statement, before, afterAsService, readOnly = false, lockTimeoutMs }: StorageCall,
  ) => ({
    role: caller.role,
    settings: settingsOf(request, caller, lockTimeoutMs),
    statement,
    before: before ?? null,
    after: afterAsService ?? null,
    afterRole: serviceCaller.role,
    readOnly,
    attribute: true,
    end: 'commit' as const,
    context: request.context,
  })
  return {
    asCaller: (request, caller, call) => run(plan(request, caller, call)),
    asService: (request, call) => {
      const context = call.readOnly === true ? request.context : uncancelled(request.context)
      return run({ ...plan(request, serviceCaller, call), context })
    },
    asCallerAfter: <R extends Row>(
      request: StorageRequest,
      caller: StorageCaller,
      call: StorageCall,
      check: BeforeCommit,
    ) => run<R>({ ...plan(request, caller, call), context: uncancelled(request.context), check }),
    inBackground: (statement) =>
      run({
        role: serviceCaller.role,
        settings: [
          ['search_path', searchPath],
          ['request.jwt.claims', serviceCaller.claimsJson],
          ['storage.allow_delete_query', 'true'],
        ],
        statement,
        readOnly: false,
        attribute: false,
        end: 'commit',
        context: null,
      }),
    test: (request, caller, call) => run({ ...plan(request, caller, call), end: 'rollback' }),
  }
}

function settingsOf(
  { context, operation }: StorageRequest,
  { role, claimsJson, token, subject }: StorageCaller,
  lockTimeoutMs: number | undefined,
): SessionCall<Row>['settings'] {
  return [
    ['search_path', searchPath],
    ['request.jwt', token],
    ['request.jwt.claims', claimsJson],
    ['request.jwt.claim.sub', subject ?? ''],
    ['request.jwt.claim.role', role],
    ['request.headers', headersJson(context)],
    ['request.method', context.method],
    ['request.path', context.path.replace(/^\/storage\/v1/, '')],
    ['storage.operation', operation],
    ['storage.allow_delete_query', 'true'],
    ...(lockTimeoutMs === undefined ? [] : [['lock_timeout', String(lockTimeoutMs)] as const]),
  ]
}

const headersTexts = new WeakMap<RequestContext, string>()

/** Headers as JSON; NUL cannot stand in a setting, and no header has one. */
function headersJson(context: RequestContext): string {
  const known = headersTexts.get(context)
  if (known !== undefined) return known
  const text = JSON.stringify(context.headers)
  headersTexts.set(context, text)
  return text
}

const never = new AbortController().signal

/** The request's record with a signal that never fires: what is being made final is not cancelled half-way (storage §12). */
const uncancelled = (context: RequestContext): RequestContext => ({ ...context, signal: never })
