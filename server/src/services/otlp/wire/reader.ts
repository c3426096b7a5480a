import { otlpError } from '../errors.ts'

/** How a field stands in a message of Protobuf. */
const wireTypes = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const

/** Bytes of seven bits each that a number holds without loss. */
const safeBytes = 7

// An empty attribute takes two bytes of a body and a hundred of memory: the heap of a thread has room for so many.
const mostMessages = 2_000_000

/**
 * Reads a message of Protobuf, field after field. What a caller does not read is skipped; groups, which no message of OTLP
 * has, are refused.
 *
 * @see https://protobuf.dev/programming-guides/encoding/
 */
export class Reader {
  private readonly bytes: Buffer
  private at: number
  private readonly end: number
  private readonly budget: { messages: number }
  /** Of the field that `next` found. */
  field = 0
  private type = 0

  constructor(bytes: Buffer, at = 0, end = bytes.length, budget = { messages: mostMessages }) {
    this.bytes = bytes
    this.at = at
    this.end = end
    this.budget = budget
  }

  /** Goes to the next field; false at the end. The field before must have been read or skipped. */
  next(): boolean {
    if (this.at >= this.end) return false
    const tag = this.number()
    this.field = tag >>> 3
    this.type = tag & 7
    if (this.field === 0) throw damaged('a field without a number')
    return true
  }

  /** A whole number: its lower 53 bits, which is enough for sizes, kinds and counts. */
  uint(): number {
    this.expect(wireTypes.varint)
    return this.number()
  }

  bool(): boolean {
    return this.uint() !== 0
  }

  /** A signed number of 64 bits; a bigint only where it takes more than seven bytes, as negative ones do. */
  int64(): number | bigint {
    this.expect(wireTypes.varint)
    const start = this.at
    const small = this.number()
    if (this.at - start <= safeBytes) return small
    this.at = start
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asIntN(64, value)
    }
    throw damaged('a number of more than ten bytes')
  }

  fixed64(): bigint {
    this.expect(wireTypes.fixed64)
    const from = this.take(8)
    return this.bytes.readBigUInt64LE(from)
  }

  double(): number {
    this.expect(wireTypes.fixed64)
    return this.bytes.readDoubleLE(this.take(8))
  }

  /** A text; what is no UTF-8 becomes U+FFFD. */
  text(): string {
    const [from, to] = this.span()
    return this.bytes.toString('utf8', from, to)
  }

  hex(): string {
    const [from, to] = this.span()
    return this.bytes.toString('hex', from, to)
  }

  base64(): string {
    const [from, to] = this.span()
    return this.bytes.toString('base64', from, to)
  }

  /** The message in this field. */
  message(): Reader {
    const [from, to] = this.span()
    this.budget.messages -= 1
    if (this.budget.messages < 0)
      throw otlpError('CLEW_OTLP_TOO_LARGE', { details: `more than ${mostMessages} values` })
    return new Reader(this.bytes, from, to, this.budget)
  }

  skip(): void {
    switch (this.type) {
      case wireTypes.varint:
        this.number()
        return
      case wireTypes.fixed64:
        this.take(8)
        return
      case wireTypes.bytes:
        this.span()
        return
      case wireTypes.fixed32:
        this.take(4)
        return
      default:
        throw damaged(`a field of the type ${this.type}`)
    }
  }

  private span(): readonly [from: number, to: number] {
    this.expect(wireTypes.bytes)
    const length = this.number()
    const from = this.take(length)
    return [from, from + length]
  }

  private expect(type: number): void {
    if (this.type !== type) throw damaged(`field ${this.field} is of the type ${this.type}`)
  }

  private take(length: number): number {
    const from = this.at
    if (length > this.end - from) throw damaged('it ends within a field')
    this.at = from + length
    return from
  }

  private byte(): number {
    const byte = this.at < this.end ? this.bytes[this.at] : undefined
    if (byte === undefined) throw damaged('it ends within a number')
    this.at += 1
    return byte
  }

  private number(): number {
    const first = this.at < this.end ? this.bytes[this.at] : undefined
    if (first !== undefined && first < 0x80) {
      this.at += 1
      return first
    }
    let value = 0
    let scale = 1
    for (let count = 0; count < 10; count += 1) {
      const byte = this.byte()
      // Beyond 53 bits are the ones of a negative number, which none of these is.
      if (count < safeBytes) value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 128
    }
    throw damaged('a number of more than ten bytes')
  }
}

const damaged = (details: string): Error => otlpError('CLEW_OTLP_DATA', { details })
