import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** A refresh token as a client sends it, read but not yet believed. */
export type ParsedRefreshToken =
  /** Opaque: a row of `auth.refresh_tokens`. */
  | { readonly version: 1; readonly token: string }
  /** Signed: names its session and says how many tokens of it came before. */
  | {
      readonly version: 2
      readonly sessionId: string
      readonly counter: number
      readonly signed: Buffer
      readonly signature: Buffer
    }

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
const idBytes = 16
const signatureBytes = 16
const checksumBytes = 4

/** 60 random bits as twelve letters (auth §8, v1). */
export const createRefreshToken = (): string =>
  Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** The key of a session's signed tokens, as it is stored: base64url of 32 bytes. */
export const createRefreshTokenKey = (): string => randomBytes(32).toString('base64url')

/**
 * Writes a signed token (auth §8, v2): base64url of 0x00, the session's id, the counter as a varint, half of an
 * HMAC-SHA256 over that, and four bytes of checksum, which exposes nonsense without a look at the database.
 *
 * @param key base64url, as `createRefreshTokenKey` makes it
 */
export function signRefreshToken(sessionId: string, counter: number, key: string): string {
  const id = Buffer.from(sessionId.replaceAll('-', ''), 'hex')
  const signed = Buffer.concat([Buffer.of(0), id, varint(counter)])
  const whole = Buffer.concat([signed, signatureOf(signed, key)])
  return Buffer.concat([whole, checksumOf(whole)]).toString('base64url')
}

/** Reads a token; null when it has neither form. */
export function parseRefreshToken(text: string): ParsedRefreshToken | null {
  if (text.length === 12) return /^[a-z0-9]{12}$/.test(text) ? { version: 1, token: text } : null
  const shortest = 1 + idBytes + 1 + signatureBytes + checksumBytes
  const bytes = /^[A-Za-z0-9_-]{50,68}$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0)
  if (bytes.length < shortest || bytes[0] !== 0) return null
  const whole = bytes.subarray(0, -checksumBytes)
  if (!timingSafeEqual(checksumOf(whole), bytes.subarray(-checksumBytes))) return null
  const signed = whole.subarray(0, -signatureBytes)
  const counter = readVarint(signed.subarray(1 + idBytes))
  if (counter === null) return null
  const hex = signed.subarray(1, 1 + idBytes).toString('hex')
  const sessionId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { version: 2, sessionId, counter, signed, signature: whole.subarray(-signatureBytes) }
}

/** Whether a signed token was made with a session's key. */
export const isSignedWith = (key: string, token: Extract<ParsedRefreshToken, { version: 2 }>): boolean =>
  timingSafeEqual(signatureOf(token.signed, key), token.signature)

const signatureOf = (signed: Buffer, key: string): Buffer =>
  createHmac('sha256', Buffer.from(key, 'base64url')).update(signed).digest().subarray(0, signatureBytes)

const checksumOf = (whole: Buffer): Buffer => createHash('sha256').update(whole).digest().subarray(0, checksumBytes)

/** Seven bits a byte, the lowest first, the highest bit of a byte set where more follow. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...bytes, rest])
}

function readVarint(bytes: Buffer): number | null {
  let value = 0
  for (const [index, byte] of bytes.entries()) {
    value += (byte & 127) * 128 ** index
    const isLast = index === bytes.length - 1
    if (byte < 128 !== isLast) return null
  }
  return Number.isSafeInteger(value) ? value : null
}
