const space = 0x20
const quote = 0x22
const plus = 0x2b
const comma = 0x2c
const minus = 0x2d
const point = 0x2e
const zero = 0x30
const nine = 0x39
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

const literals = new Map([...['true', 'false', 'null']].map((word) => [word.charCodeAt(0), Buffer.from(word)]))
/** What may stand behind a backslash, besides `u`. */
const escapes = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)))

/**
 * Reads the bytes of a JSON text in place and makes no values of them. What it takes `JSON.parse` takes, too. Each
 * method returns false where it stops: at what is no JSON, at nesting deeper than allowed, at escaped surrogates, which
 * ClickHouse's parser refuses as halves, and at white space other than blanks, as a line must not be broken.
 */
export class JsonScanner {
  readonly bytes: Uint8Array
  /** The next byte to be read. */
  at: number
  private depthLeft: number

  /** @param depth how deep arrays and objects may nest from here on */
  constructor(bytes: Uint8Array, start: number, depth: number) {
    this.bytes = bytes
    this.at = start
    this.depthLeft = depth
  }

  /** Reads over blanks; returns the byte behind them, 0 at the end. */
  next(): number {
    let byte = this.bytes[this.at] ?? 0
    while (byte === space) {
      this.at += 1
      byte = this.bytes[this.at] ?? 0
    }
    return byte
  }

  /** Reads over one value. */
  value(): boolean {
    const first = this.next()
    if (first === quote) return this.string()
    if (first === openBrace) return this.object(null)
    if (first === openBracket) return this.array(null)
    if (first === minus || (first >= zero && first <= nine)) return this.number()
    return this.literal(first)
  }

  /**
   * Reads over an array.
   *
   * @param visit reads over one element, which begins at `at`; null to skip every element
   */
  array(visit: (() => boolean) | null): boolean {
    if (this.next() !== openBracket || this.depthLeft === 0) return false
    this.depthLeft -= 1
    this.at += 1
    let byte = this.next()
    if (byte !== closeBracket) {
      for (;;) {
        if (visit === null ? !this.value() : !visit()) return false
        byte = this.next()
        if (byte !== comma) break
        this.at += 1
        this.next()
      }
    }
    if (byte !== closeBracket) return false
    this.at += 1
    this.depthLeft += 1
    return true
  }

  /**
   * Reads over an object.
   *
   * @param visit gets the range of a member's name, without its quotes, and reads over its value at `at`
   */
  object(visit: ((nameStart: number, nameEnd: number) => boolean) | null): boolean {
    if (this.next() !== openBrace || this.depthLeft === 0) return false
    this.depthLeft -= 1
    this.at += 1
    let byte = this.next()
    if (byte !== closeBrace) {
      for (;;) {
        if (byte !== quote) return false
        const nameStart = this.at + 1
        if (!this.string()) return false
        const nameEnd = this.at - 1
        if (this.next() !== colon) return false
        this.at += 1
        this.next()
        if (visit === null ? !this.value() : !visit(nameStart, nameEnd)) return false
        byte = this.next()
        if (byte !== comma) break
        this.at += 1
        byte = this.next()
      }
    }
    if (byte !== closeBrace) return false
    this.at += 1
    this.depthLeft += 1
    return true
  }

  /** Reads a whole number without sign, fraction or exponent; -1 where there is something else. */
  wholeNumber(): number {
    let value = 0
    const start = this.at
    for (let byte = this.bytes[this.at] ?? 0; byte >= zero && byte <= nine; byte = this.bytes[this.at] ?? 0) {
      value = value * 10 + byte - zero
      this.at += 1
    }
    const digits = this.at - start
    if (digits === 0 || digits > 15 || (digits > 1 && this.bytes[start] === zero)) return -1
    return this.isEndOfPlain() ? value : -1
  }

  /** Whether a member's name is this one. */
  isName(nameStart: number, nameEnd: number, name: Uint8Array): boolean {
    if (nameEnd - nameStart !== name.length) return false
    for (let index = 0; index < name.length; index += 1) if (this.bytes[nameStart + index] !== name[index]) return false
    return true
  }

  private isEndOfPlain(): boolean {
    const byte = this.bytes[this.at] ?? space
    return byte === comma || byte === closeBrace || byte === closeBracket || byte === space
  }

  private string(): boolean {
    const { bytes } = this
    let at = this.at + 1
    for (;;) {
      const byte = bytes[at] ?? 0
      if (byte === quote) {
        this.at = at + 1
        return true
      }
      if (byte === backslash) {
        const length = escapeLength(bytes, at)
        if (length === 0) return false
        at += length
      } else if (byte < space) return false
      else at += 1
    }
  }

  private number(): boolean {
    if (this.bytes[this.at] === minus) this.at += 1
    const leads = this.bytes[this.at] === zero
    const whole = this.digits()
    if (whole === 0 || (leads && whole > 1)) return false
    if (this.bytes[this.at] === point) {
      this.at += 1
      if (this.digits() === 0) return false
    }
    if (((this.bytes[this.at] ?? 0) | 0x20) === 0x65) {
      this.at += 1
      const sign = this.bytes[this.at]
      if (sign === plus || sign === minus) this.at += 1
      if (this.digits() === 0) return false
    }
    return this.isEndOfPlain()
  }

  private digits(): number {
    const start = this.at
    for (let byte = this.bytes[this.at] ?? 0; byte >= zero && byte <= nine; byte = this.bytes[this.at] ?? 0)
      this.at += 1
    return this.at - start
  }

  private literal(first: number): boolean {
    const word = literals.get(first)
    if (word === undefined || !this.isName(this.at, this.at + word.length, word)) return false
    this.at += word.length
    return this.isEndOfPlain()
  }
}

/** How long the escape is that begins here; 0 for what is none, or half of a surrogate pair. */
function escapeLength(bytes: Uint8Array, at: number): number {
  const kind = bytes[at + 1] ?? 0
  if (kind !== 0x75) return escapes.has(kind) ? 2 : 0
  for (let index = 2; index < 6; index += 1) if (!isHex(bytes[at + index] ?? 0)) return 0
  const isSurrogate = ((bytes[at + 2] ?? 0) | 0x20) === 0x64 && (bytes[at + 3] ?? 0) >= 0x38
  return isSurrogate ? 0 : 6
}

const isHex = (byte: number): boolean =>
  (byte >= zero && byte <= nine) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)
