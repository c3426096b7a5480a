/** Says one line to the operator: a slot recreated, a permission missing. */
export type EngineLog = (line: string) => void

/** A server of its own, as a child process. */
export interface EmbeddedOptions {
  readonly kind: 'embedded'
  /** Made when absent; belongs to one server at a time. */
  readonly dataDir: string
  /** A short path (a socket's path has 107 characters at most); made when absent, emptied never. */
  readonly socketDir: string
  /** TCP port on 127.0.0.1 for `psql`; null for none. */
  readonly port: number | null
  /** Password of the role `postgres` on the TCP port. */
  readonly password: string
  /**
   * The keys of the extension `supabase_vault` as they are now, 64 bytes each, without which no secret can be stored or read:
   * the first encrypts, all of them decrypt.
   */
  readonly vaultKeys?: () => Buffer
  /** Log kept for row changes that are not stored yet; half of the free disk where nothing is said. */
  readonly changeBacklogMib?: number | null
  /** Connections that the server must allow; more where its postgresql.conf says so. */
  readonly leastConnections?: number
  /** The files are those of a base backup: the server replays their log, and answers when it has. */
  readonly recovery?: RecoveryOptions
  /** The server runs only while its cluster is carried over to another major version. */
  readonly carrying?: CarryingOptions
  readonly log: EngineLog
}

/** How a server runs whose cluster is carried over from another major version, or to ours. */
export interface CarryingOptions {
  /** The folder of the other version's binaries; null for the new cluster, which is of our own. */
  readonly binaries: string | null
  /** Objects are made with the numbers that are said before, by superusers only: `postgres -b`, as pg_upgrade starts it. */
  readonly keepsNumbers: boolean
}

/** How the log of a base backup is replayed. */
export interface RecoveryOptions {
  readonly limitMs: number
  /** What was committed later is left out; everything is replayed where nothing is said. */
  readonly until?: Date
}

/** A server of Clew's own that another process has started and stays with (`startServer`). */
export interface AttachedOptions extends Pick<EmbeddedOptions, 'socketDir' | 'port' | 'password'> {
  readonly kind: 'attached'
  readonly log: EngineLog
}

/** A server that is reached by its URL, version 15 or later. */
export interface ExternalOptions {
  readonly kind: 'external'
  /** Of a superuser for everything; of a lesser role with what it may do. */
  readonly url: string
  /** The server itself, where `url` is a pooler's that hands each transaction another connection. */
  readonly directUrl?: string | null
  readonly log: EngineLog
}

/** Which server, and what its connections are for. */
export type PostgresOptions = (EmbeddedOptions | AttachedOptions | ExternalOptions) & ConnectionOptions

/** What the connections to a server of either kind are for. */
interface ConnectionOptions {
  /** Schemas of the API: their tables keep history and are published to the change stream, as those of `auth`. */
  readonly exposedSchemas: readonly string[]
  /** Connections for requests; Clew's own statements have a small pool beside it. */
  readonly poolSize: number
  readonly requests?: RequestPoolOptions
  readonly internal?: InternalPoolOptions
  /** Scheduled commands that run at a time, each on a connection of its own. */
  readonly commandConnections?: number
  /** Connections for the statements of operators. */
  readonly editorConnections?: number
  /** Processes that open as many connections each; one where nothing is said. */
  readonly processes?: number
}

/** How the connections for requests are kept. */
export interface RequestPoolOptions {
  /** How long a request waits for one. */
  readonly acquireTimeoutMs: number
  /** 0 for never. */
  readonly idleTimeoutMs: number
  /** 0 for never. */
  readonly maxLifetimeSeconds: number
  /** Whether they keep the statements they have prepared: not behind a pooler that shares them by transaction. */
  readonly preparesStatements: boolean
  /** How many of them a connection keeps; the least recently used is closed first. */
  readonly statementsPerConnection?: number
}

/** The connections of Clew's own statements, and the time that they may take. */
export interface InternalPoolOptions {
  /** Connections of the administrator. */
  readonly adminPoolSize: number
  /** Connections of the auth service. */
  readonly authPoolSize: number
  /** Connections of the console's reads. */
  readonly readerPoolSize: number
  /** How long a statement waits for a connection. */
  readonly acquireTimeoutMs: number
  /** How long one of the console's reads may take. */
  readonly readerTimeoutMs: number
}

/** The pools of Clew’s own statements where no option says otherwise. */
export const defaultInternalPools: InternalPoolOptions = {
  adminPoolSize: 6,
  authPoolSize: 6,
  readerPoolSize: 2,
  acquireTimeoutMs: 10_000,
  readerTimeoutMs: 10_000,
}

/** Enough for the statements of an application; PostgreSQL keeps a plan of some tens of kilobytes for each. */
export const defaultStatementsPerConnection = 200

/** Options for a server of either kind. */
export interface OpenOptions extends ConnectionOptions {
  readonly log: EngineLog
}
