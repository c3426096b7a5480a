/** One column's value in a tuple: text, SQL null, or not sent because its TOAST did not change. */
export type TupleValue = string | null | undefined

export interface RelationColumn {
  readonly name: string
  readonly typeId: number
  /** Whether deleted and updated rows are named by it. */
  readonly isIdentity: boolean
}

/** What `pgoutput` says, version 2 without streaming of transactions in progress. */
export type PgoutputMessage =
  | { readonly kind: 'begin'; readonly lsn: bigint; readonly committedAt: Date; readonly xid: number }
  | { readonly kind: 'commit'; readonly endLsn: bigint }
  | {
      readonly kind: 'relation'
      readonly id: number
      readonly schema: string
      readonly table: string
      readonly columns: readonly RelationColumn[]
    }
  | { readonly kind: 'insert'; readonly relation: number; readonly new: readonly TupleValue[] }
  | {
      readonly kind: 'update'
      readonly relation: number
      readonly old: OldTuple | null
      readonly new: readonly TupleValue[]
    }
  | { readonly kind: 'delete'; readonly relation: number; readonly old: OldTuple }
  | { readonly kind: 'truncate'; readonly relations: readonly number[] }
  | { readonly kind: 'message'; readonly transactional: boolean; readonly prefix: string; readonly content: string }
  | { readonly kind: 'other' }

/** The row before: whole with `replica identity full`, else the columns that identify it alone (the others read as null). */
export interface OldTuple {
  readonly whole: boolean
  readonly values: readonly TupleValue[]
}

/**
 * Reads one message of PostgreSQL's logical decoding output plugin.
 *
 * @see https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html
 */
export function decodePgoutput(bytes: Buffer): PgoutputMessage {
  const reader = new Reader(bytes)
  switch (reader.letter()) {
    case 'B':
      return { kind: 'begin', lsn: reader.int64(), committedAt: reader.time(), xid: reader.int32() }
    case 'C':
      reader.skip(1 + 8)
      return { kind: 'commit', endLsn: reader.int64() }
    case 'R':
      return relation(reader)
    case 'I': {
      const id = reader.int32()
      reader.skip(1)
      return { kind: 'insert', relation: id, new: tuple(reader) }
    }
    case 'U':
      return update(reader)
    case 'D': {
      const id = reader.int32()
      const whole = reader.letter() === 'O'
      return { kind: 'delete', relation: id, old: { whole, values: tuple(reader) } }
    }
    case 'T': {
      const count = reader.int32()
      reader.skip(1)
      return { kind: 'truncate', relations: Array.from({ length: count }, () => reader.int32()) }
    }
    case 'M': {
      const transactional = (reader.byte() & 1) === 1
      reader.skip(8)
      const prefix = reader.zeroEnded()
      return { kind: 'message', transactional, prefix, content: reader.text(reader.int32()) }
    }
    // Types and origins: nothing that a change needs.
    default:
      return { kind: 'other' }
  }
}

function relation(reader: Reader): PgoutputMessage {
  const id = reader.int32()
  const schema = reader.zeroEnded()
  const table = reader.zeroEnded()
  reader.skip(1)
  const columns = Array.from({ length: reader.int16() }, () => {
    const isIdentity = (reader.byte() & 1) === 1
    const column = { name: reader.zeroEnded(), typeId: reader.int32(), isIdentity }
    reader.skip(4)
    return column
  })
  // An empty name stands for pg_catalog.
  return { kind: 'relation', id, schema: schema || 'pg_catalog', table, columns }
}

function update(reader: Reader): PgoutputMessage {
  const id = reader.int32()
  let marker = reader.letter()
  let old: OldTuple | null = null
  if (marker === 'K' || marker === 'O') {
    old = { whole: marker === 'O', values: tuple(reader) }
    marker = reader.letter()
  }
  return { kind: 'update', relation: id, old, new: tuple(reader) }
}

function tuple(reader: Reader): TupleValue[] {
  const count = reader.int16()
  const values: TupleValue[] = []
  for (let index = 0; index < count; index += 1) {
    const kind = reader.letter()
    values.push(kind === 'n' ? null : kind === 'u' ? undefined : reader.text(reader.int32()))
  }
  return values
}

/** Microseconds from 1970 to 2000, where PostgreSQL's clock begins. */
const epochMicroseconds = 946_684_800_000_000n

class Reader {
  private readonly bytes: Buffer
  private at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  skip(count: number): void {
    this.at += count
  }

  byte(): number {
    this.at += 1
    return this.bytes.readUInt8(this.at - 1)
  }

  letter(): string {
    return String.fromCharCode(this.byte())
  }

  int16(): number {
    this.at += 2
    return this.bytes.readUInt16BE(this.at - 2)
  }

  int32(): number {
    this.at += 4
    return this.bytes.readUInt32BE(this.at - 4)
  }

  int64(): bigint {
    this.at += 8
    return this.bytes.readBigUInt64BE(this.at - 8)
  }

  time(): Date {
    return new Date(Number((this.int64() + epochMicroseconds) / 1000n))
  }

  text(length: number): string {
    this.at += length
    return this.bytes.toString('utf8', this.at - length, this.at)
  }

  zeroEnded(): string {
    const end = this.bytes.indexOf(0, this.at)
    const text = this.bytes.toString('utf8', this.at, end)
    this.at = end + 1
    return text
  }
}
