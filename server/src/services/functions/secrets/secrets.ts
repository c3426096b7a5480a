import { createHmac } from 'node:crypto'
import type { Sql } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import { countsOf, type RootKeyUse, renewEach } from '../../../ground/ids/root-key-use.ts'
import { currentOf, derivedOf, type RootKeys, rootIdOf } from '../../../ground/ids/root-keys.ts'
import { createRootSealing } from '../../../ground/ids/root-sealing.ts'
import { manageError } from '../errors.ts'
import type { FunctionsSettings } from '../settings.ts'
import type { Variables } from '../source/environment.ts'
import { countRootKeys, deleteSecrets, deleteSecretsOf, findSecrets, replaceSealed, upsertSecrets } from './store.ts'

/** A secret without its value. */
export interface SecretInfo {
  readonly name: string
  /** A keyed hash of the value. */
  readonly digest: string
  readonly updatedAt: Date
}

/** The secrets that operators set for every function of the project (functions §5). */
export interface FunctionSecrets {
  /** Their values, for the environment of functions. */
  values(): Variables
  list(): Promise<readonly SecretInfo[]>
  /** @throws CLEW_FUNCTIONS_SECRET */
  set(values: Variables): Promise<void>
  unset(names: readonly string[]): Promise<void>
  /** Reads them again, as another process may have changed them. */
  refresh(): Promise<void>
  readonly keyUse: RootKeyUse
}

export interface FunctionSecretsDeps {
  readonly sql: Sql
  /** The keys are derived of them. */
  readonly roots: RootKeys
  readonly settings: Pick<FunctionsSettings, 'secretCount' | 'secretBytes'>
  readonly now: () => Date
  /** Called when values have changed: here, or found so by `refresh`. */
  readonly changed: () => void
  /** Called when values were changed here. */
  readonly tellOthers: () => void
  readonly log: { error(details: object, message: string): void }
}

const longestName = 256

/** Opens the secrets. Their values are in memory from here on; the database has them encrypted. */
export async function openFunctionSecrets(deps: FunctionSecretsDeps): Promise<FunctionSecrets> {
  const { sql, roots, settings, now, changed, tellOthers, log } = deps
  const sealing = createRootSealing(roots, 'secrets of functions')
  const digests = derivedOf(
    roots,
    'digests of functions’ secrets',
    (key) =>
      (value: string): string =>
        createHmac('sha256', key).update(value).digest('hex'),
  )
  const digestOf = (value: string): string => currentOf(digests()).value(value)
  const values = new Map<string, string>()
  const read = async (): Promise<void> => {
    const found = await findSecrets(sql)
    values.clear()
    for (const { name, sealedValue } of found) {
      try {
        values.set(name, sealing.open(sealedValue))
      } catch (error) {
        log.error({ secret: name }, `The secret ${name} cannot be read, set it again: ${messageOf(error)}`)
      }
    }
  }
  await read()
  const check = (name: string, value: string): void => {
    const problem = problemOf(name, value, settings.secretBytes)
    if (problem !== null) throw manageError('CLEW_FUNCTIONS_SECRET', { message: problem })
  }
  return {
    values: () => Object.fromEntries(values),
    list: async () => (await findSecrets(sql)).map(({ name, digest, updatedAt }) => ({ name, digest, updatedAt })),
    async set(changes) {
      const entries = Object.entries(changes)
      for (const [name, value] of entries) check(name, value)
      const names = new Set([...values.keys(), ...entries.map(([name]) => name)])
      if (names.size > settings.secretCount)
        throw manageError('CLEW_FUNCTIONS_SECRET', {
          message: `There would be ${names.size} secrets; secret_count of [functions] allows ${settings.secretCount}.`,
        })
      const updatedAt = now()
      await upsertSecrets(
        sql,
        entries.map(([name, value]) => ({
          name,
          sealedValue: sealing.seal(value),
          digest: digestOf(value),
          updatedAt,
        })),
      )
      for (const [name, value] of entries) values.set(name, value)
      changed()
      tellOthers()
    },
    async unset(names) {
      await deleteSecrets(sql, names)
      for (const name of names) values.delete(name)
      changed()
      tellOthers()
    },
    async refresh() {
      await read()
      changed()
    },
    keyUse: {
      name: 'secrets of functions',
      async renew() {
        const current = currentOf(digests()).rootId
        const earlier = (await findSecrets(sql)).filter(({ sealedValue }) => rootIdOf(sealedValue) !== current)
        await renewEach(earlier, async ({ name, sealedValue }) => {
          const value = sealing.open(sealedValue)
          await replaceSealed(sql, sealedValue, { name, sealedValue: sealing.seal(value), digest: digestOf(value) })
        })
      },
      count: async () => countsOf(await countRootKeys(sql)),
      end: (rootId) => deleteSecretsOf(sql, rootId),
    },
  }
}

/** What is wrong with a secret; null for nothing. */
function problemOf(name: string, value: string, maxBytes: number): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name.length > longestName)
    return `"${name.slice(0, longestName)}" is no name of a variable: letters, digits and underscores, at most ${longestName}.`
  if (name.startsWith('SUPABASE_')) return `${name}: names that begin with SUPABASE_ are the instance’s.`
  if (value.includes('\0')) return `${name}: a value has no NUL character.`
  if (Buffer.byteLength(value) > maxBytes)
    return `${name}: the value is longer than secret_bytes of [functions] allows.`
  return null
}
