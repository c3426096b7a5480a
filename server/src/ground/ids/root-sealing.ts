import { catalogue } from '../errors/catalogue.ts'
import { currentOf, derivedOf, markRoot, type RootKeys, rootIdOf } from './root-keys.ts'
import { createSealing, type Sealing } from './sealing.ts'

/** The errors of what is kept under a root key. */
export const rootKeyError = catalogue({
  CLEW_ROOT_KEY_MISSING: {
    status: 500,
    message: 'The root key that this was sealed under is not in keys.json.',
    hint: 'Put the keys.json there that the data directory had, or store the secret anew.',
  },
})

/** Encryption under the root key that counts; what any root key of the instance has sealed is opened. */
export interface RootSealing extends Sealing {
  /** Under the root key that counts, from whichever it was. @throws as `open` */
  readonly renew: (sealed: string) => string
}

/**
 * Sealed texts that name their root key; one from before they did is tried with each.
 *
 * `open` throws CLEW_ROOT_KEY_MISSING where the root key is gone.
 *
 * @param keyOf the key, of what is derived for the purpose
 */
export function createRootSealing(
  roots: RootKeys,
  purpose: string,
  keyOf: (derived: Buffer) => Buffer = (derived) => derived,
): RootSealing {
  const sealings = derivedOf(roots, purpose, (derived) => createSealing(keyOf(derived)))
  const seal = (text: string): string => {
    const { rootId, value } = currentOf(sealings())
    return markRoot(rootId, value.seal(text))
  }
  const open = (sealed: string): string => {
    const rootId = rootIdOf(sealed)
    if (rootId === null) return openWithAny(sealings(), sealed)
    const made = sealings().find((each) => each.rootId === rootId)
    if (made === undefined)
      throw rootKeyError('CLEW_ROOT_KEY_MISSING', {
        message: `The root key ${rootId}, which this was sealed under, is not in keys.json.`,
      })
    return made.value.open(sealed.slice(rootId.length + 1))
  }
  return { seal, open, renew: (sealed) => seal(open(sealed)) }
}

function openWithAny(sealings: readonly { readonly value: Sealing }[], sealed: string): string {
  let problem: unknown = new Error('There is no root key.')
  for (const { value } of sealings) {
    try {
      return value.open(sealed)
    } catch (error) {
      problem = error
    }
  }
  throw problem
}
