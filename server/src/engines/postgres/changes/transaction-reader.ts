import type {
  ChangeCause,
  ChangeTransaction,
  RelationVersion,
  RowChange,
  RowValues,
} from '../../../ground/model/change.ts'
import { causePrefix, readCause } from '../cause.ts'
import { formatLsn, placeOf } from './lsn.ts'
import type { PgoutputMessage, TupleValue } from './pgoutput.ts'

/** A table as the stream describes it, with what only the catalogue knows. */
export interface StreamRelation {
  readonly version: RelationVersion
  readonly schema: string
  readonly table: string
  readonly columns: readonly string[]
  /** Primary key columns in key order. */
  readonly key: readonly string[]
  /** Columns that the stream names deleted and updated rows by: of the primary key, or of another index. */
  readonly identity: ReadonlySet<string>
  readonly types: Readonly<Record<string, string>>
}

/** Rows of one transaction held at once, and their bytes; a larger one is handed on in parts. */
const partRows = 5_000
const partBytes = 4 * 1024 * 1024
/** What a row takes beside its values. */
const rowBytes = 256

interface OpenTransaction {
  readonly lsn: bigint
  readonly xid: number
  readonly committedAt: Date
  cause: ChangeCause | null
  changes: RowChange[]
  /** What those take, roughly. */
  bytes: number
  /** Changes of this transaction handed on before. */
  offset: number
}

/** A transaction, or a part of one, and what it takes in memory, roughly. */
export interface Part {
  readonly transaction: ChangeTransaction
  readonly bytes: number
}

/**
 * Puts messages together to transactions. PostgreSQL sends none before its commit, so parts of a large one may be
 * handed on while the rest is still read.
 */
export class TransactionReader {
  private open: OpenTransaction | null = null
  private readonly generation: number

  /** @param generation how many servers were read before this one */
  constructor(generation: number) {
    this.generation = generation
  }

  /** The transaction that is being read; null between two. */
  get xid(): number | null {
    return this.open?.xid ?? null
  }

  /** @returns what can be handed on now; a transaction without changes yields nothing */
  next(message: PgoutputMessage, bytes: number, relations: ReadonlyMap<number, StreamRelation>): Part | null {
    if (message.kind === 'begin') {
      const { lsn, xid, committedAt } = message
      this.open = {
        lsn: placeOf(this.generation, lsn),
        xid,
        committedAt,
        cause: null,
        changes: [],
        bytes: 0,
        offset: 0,
      }
      return null
    }
    const { open } = this
    if (open === null) return null
    if (message.kind === 'commit') {
      this.open = null
      return open.changes.length === 0 ? null : part(open)
    }
    if (message.kind === 'message') {
      // The first is ours, written before the caller's statement; later ones may be the caller's own.
      if (message.transactional && message.prefix === causePrefix) open.cause ??= readCause(message.content)
      return null
    }
    for (const change of changesOf(message, relations)) open.changes.push(change)
    open.bytes += bytes + rowBytes
    if (open.changes.length < partRows && open.bytes < partBytes) return null
    const ready = part(open)
    open.offset += open.changes.length
    open.changes = []
    open.bytes = 0
    return ready
  }
}

function part({ lsn, xid, committedAt, cause, changes, bytes, offset }: OpenTransaction): Part {
  return { transaction: { lsn: formatLsn(lsn), xid, committedAt, cause, changes, offset }, bytes }
}

function changesOf(message: PgoutputMessage, relations: ReadonlyMap<number, StreamRelation>): RowChange[] {
  if (message.kind === 'truncate')
    return message.relations.flatMap((id) => {
      const relation = relations.get(id)
      if (relation === undefined) return []
      const { version, schema, table, types } = relation
      return [{ relation: version, schema, table, operation: 'truncate', key: {}, old: null, new: null, types }]
    })
  if (message.kind !== 'insert' && message.kind !== 'update' && message.kind !== 'delete') return []
  const relation = relations.get(message.relation)
  if (relation === undefined) return []
  const { version, schema, table, types } = relation
  const before = message.kind === 'insert' ? null : message.old
  const old = before === null ? null : oldValues(relation, before.values, before.whole)
  const fresh = message.kind === 'delete' ? null : newValues(relation, message.new, before?.whole ? old : null)
  const key = pick(fresh ?? old ?? {}, relation.key)
  return [{ relation: version, schema, table, operation: message.kind, key, old, new: fresh, types }]
}

/** Without full identity, columns outside it are sent as null, which they need not have been. */
function oldValues({ columns, identity }: StreamRelation, values: readonly TupleValue[], whole: boolean): RowValues {
  const row: Record<string, string | null> = {}
  columns.forEach((column, index) => {
    const value = values[index]
    if (value !== undefined && (whole || identity.has(column))) row[column] = value
  })
  return row
}

/** A large value that did not change is not sent again; the old row, when whole, has it. */
function newValues({ columns }: StreamRelation, values: readonly TupleValue[], old: RowValues | null): RowValues {
  const row: Record<string, string | null> = {}
  columns.forEach((column, index) => {
    const value = values[index] === undefined ? old?.[column] : values[index]
    if (value !== undefined) row[column] = value
  })
  return row
}

function pick(row: RowValues, columns: readonly string[]): RowValues {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
}
