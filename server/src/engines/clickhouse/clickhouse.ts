import type { Readable } from 'node:stream'
import type { EngineHealth } from '../../ground/model/health.ts'
import type { ClickHouseStatement } from '../../ground/sql/clickhouse.ts'
import type { ClickHouseAddress } from './address.ts'

/** How the rows of one insert are taken. */
export interface InsertOptions {
  /**
   * Same token, same rows: a second insert stores nothing (`insert_deduplication_token`). An engine that is killed in the
   * middle of the first may remember it without having it, so not for rows that must not be lost; without a token rows
   * are stored as often as they come.
   */
  readonly token?: string
  /**
   * Lines are arrays with a value for each of these columns, and not objects: a quarter of the bytes and of the
   * engine's work is the names'. Values that a line leaves out at its end are the columns' defaults.
   */
  readonly columns?: readonly string[]
  /** Rows that do not fit are left out, and all others stored; else one such row and none is stored. */
  readonly onlyFitting?: boolean
}

/** How texts are read. */
export interface TextOptions {
  readonly signal?: AbortSignal | undefined
  /** The statement goes before others that wait for the engine (`priority`): a person waits for a picture. */
  readonly goesFirst?: boolean
}

/** What a statement of an operator may take. */
export interface TableLimits {
  readonly rows: number
  /** Of the answer. */
  readonly bytes: number
  readonly memoryBytes: number
  readonly seconds: number
}

/** A statement of an operator. */
export interface TableQuestion {
  readonly text: string
  /** By which `kill query` finds it. */
  readonly queryId: string
  readonly limits: TableLimits
  readonly signal?: AbortSignal | undefined
}

/** What a statement of an operator answered. */
export interface TableAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** Values as texts: what is no text is its JSON. */
  readonly rows: readonly (readonly (string | null)[])[]
  /** Whether there are rows beyond the limits. */
  readonly more: boolean
}

/** ClickHouse over HTTP, embedded or external alike. */
export interface ClickHouse {
  readonly kind: 'embedded' | 'external'
  /** For `connectClickHouse`; of an external server with the login of now. */
  readonly address: ClickHouseAddress
  /** Rows as JSONEachRow objects; 64-bit integers arrive as strings. */
  query<Row = Record<string, unknown>>(statement: ClickHouseStatement, signal?: AbortSignal): Promise<readonly Row[]>
  /**
   * The values of a statement with one column of texts, each without a line break in it, one at a time with
   * back-pressure: for answers that are too large to hold, or to parse here.
   */
  streamTexts(statement: ClickHouseStatement, options?: TextOptions): AsyncIterable<string>
  /**
   * Reads for an operator who typed the statement: the engine's `readonly` mode refuses what writes, sets or reaches
   * outside (`file`, `url`, `remote`).
   */
  readTable(question: TableQuestion): Promise<TableAnswer>
  /** The answer of a statement that names its format (`format Parquet`), as bytes. */
  streamBytes(statement: ClickHouseStatement): Promise<Readable>
  /** Inserts ready-made JSON lines (each without its newline). Durable when it resolves. */
  insertLines(table: string, lines: readonly (string | Buffer)[], options?: InsertOptions): Promise<void>
  insert(table: string, rows: readonly object[], options?: InsertOptions): Promise<void>
  command(statement: ClickHouseStatement): Promise<void>
  /**
   * Applies a room's `NNNN_what.sql` files (statements separated by `;` at a line's end) that were not applied yet.
   *
   * @param tell called with a line of progress by what takes long
   */
  migrate(room: string, folder: URL, tell?: (line: string) => void): Promise<void>
  /** Resolves when the engine answers; an embedded one starts in the background. */
  ready(): Promise<void>
  /** Goes on with the login of now, where the server is external. Statements that run end with that of before. */
  renew(): void
  health(): Promise<EngineHealth>
  close(): Promise<void>
}
