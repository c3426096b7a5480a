import { createHmac, randomBytes, randomInt, randomUUID } from 'node:crypto'

/** Marks a stored token whose flow ends in a code to exchange instead of a session. */
export const pkcePrefix = 'pkce_'

/** A code of `digits` digits from the system's generator, zero padded. */
export function createCode(digits: number): string {
  return Array.from({ length: digits }, () => randomInt(10)).join('')
}

/** The hash that is stored of a code, and that the link in the mail carries. */
export type HashCode = (address: string, code: string) => string

/** The hashes that a typed code may be stored with. */
export type CodeHashes = (address: string, code: string) => readonly string[]

/**
 * The hash of codes: hex SHA-224 of the lower-cased address and the code, so that a code is good for its own address only
 * (auth §9). It is keyed, unlike GoTrue's: a code has six digits, so a reader of the hash, or sends guesses of it in
 * place of the code, where no code counts them, would soon have the right one.
 */
const hashCode = (key: Buffer, address: string, code: string): string =>
  createHmac('sha224', key).update(`${address.toLowerCase()}${code}`).digest('hex')

/** @param keys as they are now: the one that new codes are hashed with first, then those of codes that were sent before */
export const createCodeHashes = (
  keys: () => readonly Buffer[],
): { readonly hashCode: HashCode; readonly codeHashes: CodeHashes } => {
  const codeHashes: CodeHashes = (address, code) => keys().map((key) => hashCode(key, address, code))
  return { codeHashes, hashCode: (address, code) => codeHashes(address, code)[0] ?? '' }
}

/** The code that a PKCE flow ends in: a UUID of version 4 (auth §21), which does not show when it was made. */
export const createFlowCode = (): string => randomUUID()

/** The forms a typed code may have been stored in. */
export const storedForms = (hash: string): readonly string[] =>
  hash.startsWith(pkcePrefix) ? [hash] : [hash, `${pkcePrefix}${hash}`]

/** A random password, for users who must have one and were not asked. */
export const randomPassword = (): string => randomBytes(48).toString('base64url')
