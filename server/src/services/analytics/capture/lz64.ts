/** The text; or why there is none. */
export type Unpacked =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'damaged' }

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** A digit's value by its character's code; -1 for what is none. */
const valueOfDigit = new Int8Array(128).fill(-1)
for (let value = 0; value < digits.length; value += 1) valueOfDigit[digits.charCodeAt(value)] = value
const bitsPerDigit = 6

/** Codes that are no entries of the dictionary: a new character of 8 or 16 bits follows, or nothing more. */
const character8 = 0
const character16 = 1
const end = 2
const firstEntry = 3

/**
 * Undoes lz-string's `compressToBase64`, which very old clients used. Its own decoder has no limit, and a kilobyte may
 * come to gigabytes: each entry of the dictionary is another and a character more.
 *
 * @param limit most UTF-16 units that may come out
 * @see   https://github.com/pieroxy/lz-string, an LZW with variable code lengths
 */
export function unpackLz64(packed: string, limit: number): Unpacked {
  const bits = new Bits(packed.trim().replace(/=+$/, ''))
  const entries = new Map<number, string>()
  const parts: string[] = []
  let length = 0
  let size = firstEntry
  let codeBits = 2
  let untilLonger = 1
  let before: string | null = null

  const remember = (entry: string): void => {
    entries.set(size, entry)
    size += 1
    untilLonger -= 1
    if (untilLonger > 0) return
    untilLonger = 2 ** codeBits
    codeBits += 1
  }

  for (;;) {
    const code = bits.read(codeBits)
    if (code === end) return { kind: 'text', text: parts.join('') }
    const width = code === character8 ? 8 : code === character16 ? 16 : null
    let entry: string | undefined
    if (width !== null) {
      const unit = bits.read(width)
      if (unit === null) return { kind: 'damaged' }
      entry = String.fromCharCode(unit)
      remember(entry)
    } else if (code !== null) {
      entry = entries.get(code) ?? (code === size && before !== null ? before + before.charAt(0) : undefined)
    }
    if (entry === undefined) return { kind: 'damaged' }
    parts.push(entry)
    length += entry.length
    if (length > limit) return { kind: 'too_large' }
    if (before !== null) remember(before + entry.charAt(0))
    before = entry
  }
}

/** Reads numbers whose lowest bit comes first, from digits whose highest bit does. */
class Bits {
  private readonly packed: string
  private at = 0

  constructor(packed: string) {
    this.packed = packed
  }

  /** Null when there are not as many bits left, or a digit is none. */
  read(count: number): number | null {
    let value = 0
    for (let place = 0; place < count; place += 1) {
      const digit = valueOfDigit[this.packed.charCodeAt(Math.floor(this.at / bitsPerDigit))] ?? -1
      if (digit === -1) return null
      const bit = (digit >> (bitsPerDigit - 1 - (this.at % bitsPerDigit))) & 1
      value += bit * 2 ** place
      this.at += 1
    }
    return value
  }
}
