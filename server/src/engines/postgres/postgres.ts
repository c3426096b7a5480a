import type { ChangeCause, ChangeGap, ChangeTransaction } from '../../ground/model/change.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import type { RequestContext } from '../../ground/model/request.ts'
import type { Statement } from '../../ground/sql/postgres.ts'
import type { ChangeSource } from './changes/change-source.ts'
import type { Editor } from './editor/editor.ts'
import type { CommandOutcome } from './sql/command-query.ts'
import type { LockEvents } from './sql/hold-lock.ts'

/** What a statement answered. Values are decoded by `pg`'s types, except where a session call asks for text. */
export interface Result<Row> {
  readonly rows: readonly Row[]
  readonly rowCount: number
}

/** Statements on tables that Clew owns, as its own administrator. */
export interface Sql {
  query<Row = Record<string, unknown>>(statement: Statement, context?: RequestContext | null): Promise<Result<Row>>
  /**
   * Runs `body` between BEGIN and COMMIT on one connection; whatever it throws rolls back.
   *
   * @param opening said with the BEGIN, at no cost of its own: a role, a setting. It is not recorded with the request.
   */
  transaction<T>(
    body: (sql: Sql) => Promise<T>,
    context?: RequestContext | null,
    opening?: Statement | null,
  ): Promise<T>
}

/** Reads what the application made, in transactions that may not write. */
export interface Reader extends Pick<Sql, 'query'> {
  /**
   * Reads the rows of a statement from a cursor, `rowsAtOnce` of them at a time: for answers that are too large to hold.
   * The next are fetched when `take` has settled; what it throws ends the statement.
   */
  readSlices<Row>(
    statement: Statement,
    rowsAtOnce: number,
    take: (rows: readonly Row[]) => Promise<void>,
  ): Promise<void>
}

/** The isolation level of a transaction, in PostgreSQL’s words. */
export type Isolation = 'read committed' | 'repeatable read' | 'serializable'

/** One statement on behalf of a caller: role, claims and settings hold for its transaction only. */
export interface SessionCall<Row> {
  readonly role: string
  /** `set_config(name, value, true)` in this order, before the role is taken. */
  readonly settings: readonly (readonly [name: string, value: string])[]
  /** Settings that are applied after the role is taken: with its rights, and last. */
  readonly roleSettings?: readonly (readonly [name: string, value: string])[]
  /** Run as the caller in the same transaction, before the statement: it may refuse, or change what follows. */
  readonly before?: Statement | null
  /** Where stricter than the database's own. */
  readonly isolation?: Isolation | null
  readonly statement: Statement
  /** Run as the caller in the same transaction, after the statement. */
  readonly after?: Statement | null
  /** Runs `after` as another role, with the caller's settings. */
  readonly afterRole?: string
  readonly readOnly: boolean
  /** Whether it calls a VOLATILE function, which may leave in its session what is no setting: a lock, a channel. */
  readonly isVolatile?: boolean
  /** Emits the request's id into the write-ahead log, so that the change stream can name it. Implied off by `readOnly`. */
  readonly attribute: boolean
  /** `rollback` runs everything, deferred constraints too, and keeps nothing. */
  readonly end: 'commit' | 'rollback'
  /**
   * Looks at the result, and at what `after` answered, before the transaction ends; what it throws rolls back. Costs a
   * second round trip, so it is given only where an answer can still be refused. The connection waits for it.
   */
  readonly check?: (result: Result<Row>, after: readonly OtherRow[]) => void | Promise<void>
  /** Rows that the record of the statement tells of, where its result is one row made of many. */
  readonly countRows?: (result: Result<Record<string, string | null>>) => number
  /** Names read with `current_setting(name, true)` after the statement, e.g. `response.headers`. */
  readonly readBack?: readonly string[]
  readonly context: RequestContext | null
}

/** A row of a statement beside the caller's own. */
type OtherRow = Readonly<Record<string, string | null>>

/** What a caller’s statement came to. */
export interface SessionResult<Row> extends Result<Row> {
  /** Values of `readBack`, in order; null when unset or empty. */
  readonly settings: readonly (string | null)[]
  /** What `after` answered. */
  readonly after: readonly OtherRow[]
}

/**
 * Runs a caller's statement: role, claims, settings and statement in one batch, prepared statements kept by text
 * and role. Column values arrive as PostgreSQL's text, undecoded.
 */
export interface Session {
  run<Row extends Record<string, string | null>>(call: SessionCall<Row>): Promise<SessionResult<Row>>
  /**
   * Replaces the connections by new ones, those that are in use when they fall free: what the login role has set for
   * itself holds from the next sign-in on.
   */
  refresh(): void
  /** Connections that have just been used and rest, and calls that wait for one. */
  gauges(): { readonly idle: number; readonly waiting: number }
}

/** Committed transactions in commit order, at least once each. */
export interface ChangeStream {
  /**
   * Calls `reader` for each transaction; the slot moves on only when every reader's promise has resolved. A reader is
   * given the next transaction when it has settled the one before; one that keeps many at once, `ahead`, is given
   * more meanwhile, and, when it refuses one, all again from the first that is not settled.
   */
  subscribe(
    reader: (transaction: ChangeTransaction) => Promise<void>,
    options?: { readonly ahead?: boolean },
  ): () => void
  /**
   * `off` with its reason where the server does not allow logical decoding; `degraded` for a day after changes were
   * missed.
   */
  health(): EngineHealth
  /** Log that is written and not settled yet, in bytes, some seconds ago. */
  behindBytes(): number
  /** What was never read, oldest first. */
  gaps(): Promise<readonly ChangeGap[]>
}

/** A connection for one command. */
export interface CommandConnection {
  readonly processId: number
  /**
   * Runs a text of one or more statements, in one transaction unless the text says otherwise. Never rejects.
   *
   * @param cause named by the transaction, for the change stream, where the text allows a statement before it (`planMark`)
   */
  run(text: string, cause?: ChangeCause): Promise<CommandOutcome>
  end(): Promise<void>
}

/** Commands that run beside requests, as the application's owner or a role that the owner could act for. */
export interface Commands {
  /** Statements about the commands, as the owner: what the application attaches to a table runs with no more rights. */
  readonly sql: Sql
  /**
   * Opens a connection of its own.
   *
   * @throws Error for a superuser or a role of Clew's own, or the server's error: for a role that may not log in
   */
  open(role: string, database: string): Promise<CommandConnection>
  /** Holds an advisory lock while the process lives, so that one of several processes works; see `holdLock`. */
  hold(key: number, events: LockEvents): Promise<() => Promise<void>>
}

/** What preparing a database told of it: it has its roles, schemas and migrations. A copy of it needs no preparing. */
export interface Preparation {
  readonly version: number
  /** The administrator's role. */
  readonly role: string
  readonly superuser: boolean
  /** What migrations gave to the owner: guarded objects, and the statements of an administrator. */
  readonly rights: { readonly guard: boolean; readonly statements: boolean }
}

/** A database with a connection for each role; the README lists the logins. */
export interface Postgres {
  readonly kind: 'embedded' | 'external'
  /** `server_version_num`, e.g. 180004. */
  readonly version: number
  readonly preparation: Preparation
  /** For `psql` and the application's own tools, with the password of now; null when no TCP port is open. */
  readonly url: string | null
  /** The owner's address on the socket of an embedded server, for processes of this operating-system user. */
  readonly socketUrl: string | null
  readonly admin: Sql
  /**
   * The administrator on a few connections of its own, for statements that a transaction of `admin` waits for: on the
   * connections of `admin` as many transactions as there are would wait for one another.
   */
  readonly aside: Sql
  /** Statements on the tables of `auth`, as the role that owns them: the application's triggers there run with its rights. */
  readonly auth: Sql
  /** Statements as the role that requests log in as, which has no rights of its own: for what a stranger may ask. */
  readonly authenticator: Pick<Sql, 'query'>
  /**
   * Reads the application's tables and views as their owner, each statement in a transaction of its own that may not
   * write and ends after some seconds; what functions of the application set for their session is gone with it.
   */
  readonly reader: Reader
  /** The application's owner, role `postgres` with its search path: applies the project's migrations and seeds. */
  readonly owner: Sql
  /** Scheduled commands; null on an external server, whose own extension schedules them. */
  readonly commands: Commands | null
  /** Statements that operators type. */
  readonly editor: Editor
  readonly session: Session
  /** Read on this thread; the first subscription begins. */
  readonly changes: ChangeStream
  /** For `readChanges`, on another thread: one of the two reads at a time. */
  readonly changeSource: () => ChangeSource
  /** Applies a room's `NNNN_what.sql` files that were not applied yet, in order, each in a transaction. */
  migrate(room: string, folder: URL): Promise<void>
  /** To be called when the application's migrations have run: sees to their tables where nothing else does. */
  settle(): Promise<void>
  /** Runs SQL text of the application (a migration, a seed) as `postgres`, its owner, in one transaction. */
  script(text: string): Promise<void>
  /** LISTEN on a connection of its own that reconnects; `onConnect` is called after each (re)connection. */
  listen(channel: string, onNotify: (payload: string) => void, onConnect?: () => void): Promise<() => Promise<void>>
  /**
   * Goes on with the password of another address of the same server and role; null where that takes a new start.
   * Connections that are open stay until they are idle.
   *
   * @throws POSTGRES_UNREACHABLE where the server does not accept it
   */
  readonly renew: ((url: string) => Promise<void>) | null
  /** Gives the owner of an embedded server another password; connections that are open stay. */
  setPassword(password: string): Promise<void>
  /** Has the vault take its keys as they are now, where this process has started the server. */
  renewVaultKeys(): Promise<void>
  health(): Promise<EngineHealth>
  close(): Promise<void>
}
