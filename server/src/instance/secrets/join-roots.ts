import { instanceError } from '../../errors.ts'
import { isObject } from '../../ground/json/object.ts'

/** A root key that was made after a `keys.json` was copied. */
export interface LaterRoot {
  readonly keptAt: Date
  readonly key: Buffer
}

/**
 * A `keys.json` with the root keys that were made after it was copied: the last of them counts, the others open and verify.
 *
 * @param later the oldest first
 * @throws CLEW_START_KEYS
 */
export function joinRoots(keysJson: Buffer, later: readonly LaterRoot[]): Buffer {
  let value: unknown
  try {
    value = JSON.parse(keysJson.toString())
  } catch (cause) {
    throw instanceError('CLEW_START_KEYS', { message: 'The keys.json of the backup is no JSON.', cause })
  }
  if (!isObject(value)) throw instanceError('CLEW_START_KEYS', { message: 'The keys.json of the backup has no keys.' })
  const joined = later.reduce(withRoot, value)
  return Buffer.from(`${JSON.stringify(joined, null, 2)}\n`)
}

function withRoot(file: Readonly<Record<string, unknown>>, { keptAt, key }: LaterRoot) {
  const { pepper, nextPepper, ...rest } = file
  const next = key.toString()
  const earlier = Array.isArray(file.earlierPeppers) ? file.earlierPeppers : []
  const isKnown = next === pepper || earlier.some((each) => isObject(each) && each.pepper === next)
  if (isKnown) return file
  const before = [pepper, nextPepper].filter((each) => each !== undefined && each !== next)
  const replaced = before.map((each) => ({ pepper: each, replacedAt: keptAt.toISOString() }))
  return { ...rest, pepper: next, earlierPeppers: [...replaced, ...earlier] }
}
