import { messageOf } from '../../ground/errors/message.ts'
import type { RootKeyUse } from '../../ground/ids/root-key-use.ts'
import type { RootKeys } from '../../ground/ids/root-keys.ts'
import type { SecretRotation } from '../../ground/jwt/rotation.ts'
import type { Log } from '../../ground/model/log.ts'
import { secretsError } from './errors.ts'

export interface RootKeyWorkDeps {
  readonly roots: RootKeys
  readonly rotation: Pick<SecretRotation, 'earlierRoots' | 'retireRoot'>
  /** What services keep under root keys. */
  readonly uses: () => readonly RootKeyUse[]
  readonly log: Pick<Log, 'warn'>
}

/** What is kept under a root key. */
export interface RootKeyContents {
  readonly id: string
  /** Null for the one that counts, and one that will. */
  readonly replacedAt: Date | null
  readonly isCurrent: boolean
  readonly contents: readonly {
    readonly name: string
    readonly count: number
    /** Whether it is moved to the root key that counts by itself; else when it is used. */
    readonly moves: boolean
  }[]
}

/** The root keys, and what none of them opens or verifies. */
export interface RootKeyState {
  readonly rootKeys: readonly RootKeyContents[]
  /** What is under root keys that are no more, by its name. */
  readonly lost: readonly { readonly name: string; readonly count: number }[]
}

/** Moving what is kept to the root key that counts, and the end of earlier ones. */
export interface RootKeyWork {
  /**
   * Moves all that can be moved without its owner. What is left is seen in the data, so that one that was ended is done by
   * the next; several processes may do it at once. Never rejects.
   */
  renew(): Promise<void>
  state(): Promise<RootKeyState>
  /**
   * Forgets an earlier root key.
   *
   * @param ends whether what is still under it ends
   * @throws CLEW_SECRETS_NOT_FOUND, CLEW_SECRETS_ROOT_KEY_NEEDED
   */
  retire(id: string, ends: boolean): Promise<void>
}

export function createRootKeyWork({ roots, rotation, uses, log }: RootKeyWorkDeps): RootKeyWork {
  const renewAll = async (): Promise<void> => {
    for (const { name, renew } of uses())
      await renew?.().catch((error: unknown) =>
        log.warn({ err: error }, `The ${name} are not under the new root key yet: ${messageOf(error)}`),
      )
  }
  let working: Promise<void> = Promise.resolve()
  const renew = (): Promise<void> => {
    working = working.then(renewAll)
    return working
  }
  const state = async (): Promise<RootKeyState> => {
    const [counts, earlier] = await Promise.all([
      Promise.all(
        uses().map(async ({ name, renew: own, count }) => ({ name, moves: own !== null, of: await count() })),
      ),
      rotation.earlierRoots(),
    ])
    const replacedAt = new Map(earlier.map((each) => [each.id, each.replacedAt]))
    const known = new Set(roots().map(({ id }) => id))
    return {
      rootKeys: roots().map(({ id }, index) => ({
        id,
        replacedAt: replacedAt.get(id) ?? null,
        isCurrent: index === 0,
        contents: counts.flatMap(({ name, moves, of }) => {
          const count = of.get(id) ?? 0
          return count === 0 ? [] : [{ name, count, moves }]
        }),
      })),
      lost: counts.flatMap(({ name, of }) => {
        const count = [...of].reduce((sum, [id, more]) => (known.has(id) ? sum : sum + more), 0)
        return count === 0 ? [] : [{ name, count }]
      }),
    }
  }
  return {
    renew,
    state,
    async retire(id, ends) {
      await renew()
      const found = (await state()).rootKeys.find((each) => each.id === id && each.replacedAt !== null)
      if (found === undefined)
        throw secretsError('CLEW_SECRETS_NOT_FOUND', { message: `No earlier root key is ${id}.` })
      if (found.contents.length > 0 && !ends)
        throw secretsError('CLEW_SECRETS_ROOT_KEY_NEEDED', { message: `Still under it: ${describe(found)}.` })
      for (const use of uses()) await use.end(id)
      await rotation.retireRoot(id)
    },
  }
}

/** `2 sessions of operators, 1 access tokens`. */
const describe = ({ contents }: RootKeyContents): string =>
  contents.map(({ name, count }) => `${name}: ${count}`).join(', ')
