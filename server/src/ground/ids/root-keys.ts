import { deriveKey } from './derive-key.ts'

/** A secret that keys for many purposes are derived of. */
export interface RootKey {
  /** Names it beside what is kept under it, and gives nothing of it away: 16 hex digits. */
  readonly id: string
  readonly secret: string
}

/** The root keys of an instance as they are now: the one that counts first, then those that still open and verify. */
export type RootKeys = () => readonly RootKey[]

export const rootKeyOf = (secret: string): RootKey => ({
  id: deriveKey(secret, 'id of a root key').toString('hex').slice(0, 16),
  secret,
})

/** Root keys that stay as they are. @param secrets the one that counts first */
export function fixedRootKeys(...secrets: readonly string[]): RootKeys {
  const keys = secrets.map(rootKeyOf)
  return () => keys
}

/** Something that is made of each root key. */
export interface OfRoot<Value> {
  readonly rootId: string
  readonly value: Value
}

/**
 * What is made of each root key: once, and anew when there is another.
 *
 * @returns the root key's that counts first
 */
export function ofEachRoot<Value>(roots: RootKeys, make: (root: RootKey) => Value): () => readonly OfRoot<Value>[] {
  let seen: readonly RootKey[] = []
  let made: readonly OfRoot<Value>[] = []
  return () => {
    const keys = roots()
    if (keys !== seen) {
      const before = new Map(made.map((each) => [each.rootId, each]))
      made = keys.map((root) => before.get(root.id) ?? { rootId: root.id, value: make(root) })
      seen = keys
    }
    return made
  }
}

/** What is made of the key of one purpose, of each root key. */
export const derivedOf = <Value>(
  roots: RootKeys,
  purpose: string,
  make: (key: Buffer) => Value,
): (() => readonly OfRoot<Value>[]) => ofEachRoot(roots, ({ secret }) => make(deriveKey(secret, purpose)))

/** The one of those that counts. @throws where there is none, which no instance is without */
export function currentOf<Value>(made: readonly OfRoot<Value>[]): OfRoot<Value> {
  const [first] = made
  if (first === undefined) throw new Error('There is no root key.')
  return first
}

/** A hash or a sealed text with the root key that it was made under: `0123456789abcdef.text`. */
export const markRoot = (rootId: string, text: string): string => `${rootId}.${text}`

/** The root key that a stored text names; null where it names none. */
export const rootIdOf = (marked: string): string | null => /^([0-9a-f]{16})\./.exec(marked)?.[1] ?? null
