import { postgresError } from '../errors.ts'

/** A parameter in its wire format: text, bytes, or null. */
export type WireValue = string | Buffer | null

/** One prepared statement with its parameters. */
export interface Bound {
  readonly name: string
  readonly values: readonly WireValue[]
}

/** The protocol counts parameters in two bytes, and `pg` reads that count with a sign. */
const mostValues = 32_767

const bindHead = 1 + 4 + 1 + 1
const executeBytes = 1 + 4 + 1 + 4
const syncBytes = 1 + 4

/** Short batches are written here before their length is known: to compute it costs as much as to write them. */
const draft = Buffer.allocUnsafeSlow(64 * 1024)

/** Upper bound of a value's size: no UTF-16 unit takes more than three bytes of UTF-8. */
function mostBytes(value: WireValue): number {
  if (value === null) return 0
  if (typeof value !== 'string') return value.length
  return value.length * 3 > draft.length ? Buffer.byteLength(value) : value.length * 3
}

function mostBindBytes({ name, values }: Bound): number {
  if (values.length > mostValues)
    throw postgresError('POSTGRES_TOO_MANY_VALUES', { details: `${values.length} values, at most ${mostValues}` })
  let bytes = bindHead + name.length + 2 + 2 + 4
  for (const value of values) bytes += 2 + 4 + mostBytes(value)
  return bytes
}

/**
 * Encodes Bind and Execute for each statement, and a Sync where it ends the batch, as one buffer: written one by one,
 * the messages would cost more than the rest of a short statement.
 *
 * @throws POSTGRES_TOO_MANY_VALUES
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function encodeSteps(statements: readonly Bound[], ends = false): Buffer {
  let most = ends ? syncBytes : 0
  for (const bound of statements) most += mostBindBytes(bound) + executeBytes
  const isShort = most <= draft.length
  const bytes = isShort ? draft : Buffer.allocUnsafe(most)
  let at = 0
  for (const bound of statements) at = writeExecute(bytes, writeBind(bytes, at, bound))
  if (ends) {
    bytes[at] = 0x53
    at = bytes.writeInt32BE(syncBytes - 1, at + 1)
  }
  const written = bytes.subarray(0, at)
  return isShort ? Buffer.from(written) : written
}

function writeBind(bytes: Buffer, start: number, { name, values }: Bound): number {
  bytes[start] = 0x42
  // The unnamed portal, then the statement's name.
  bytes[start + 5] = 0
  let at = start + 6
  at += bytes.write(name, at, 'latin1')
  bytes[at] = 0
  at = bytes.writeInt16BE(values.length, at + 1)
  for (const value of values) at = bytes.writeInt16BE(Buffer.isBuffer(value) ? 1 : 0, at)
  at = bytes.writeInt16BE(values.length, at)
  for (const value of values) {
    if (value === null) {
      at = bytes.writeInt32BE(-1, at)
      continue
    }
    const length = typeof value === 'string' ? bytes.write(value, at + 4) : value.copy(bytes, at + 4)
    bytes.writeInt32BE(length, at)
    at += 4 + length
  }
  // Every column of the answer as text.
  at = bytes.writeInt16BE(1, at)
  at = bytes.writeInt16BE(0, at)
  bytes.writeInt32BE(at - start - 1, start + 1)
  return at
}

/** Execute of the unnamed portal, all its rows. */
function writeExecute(bytes: Buffer, at: number): number {
  bytes[at] = 0x45
  bytes.writeInt32BE(executeBytes - 1, at + 1)
  bytes[at + 5] = 0
  return bytes.writeInt32BE(0, at + 6)
}

/** Parse and Describe: prepares a statement, whose parameters' types the server chooses, under a name. */
export function encodeParse(name: string, text: string): Buffer {
  const statement = `${name}\0`
  return Buffer.concat([message('P', `${statement}${text}\0\0\0`), message('D', `S${statement}`)])
}

/** Closes the statement of a name. */
export const encodeClose = (name: string): Buffer => message('C', `S${name}\0`)

/** Statements in one text, which the server reads anew and runs as one transaction. */
export const encodeQuery = (text: string): Buffer => message('Q', `${text}\0`)

function message(kind: string, body: string): Buffer {
  const length = Buffer.byteLength(body)
  const bytes = Buffer.allocUnsafe(1 + 4 + length)
  bytes.write(kind, 0, 'latin1')
  bytes.writeInt32BE(4 + length, 1)
  bytes.write(body, 5)
  return bytes
}
