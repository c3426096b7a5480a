import { messageOf } from '../../ground/errors/message.ts'
import { ServiceError } from '../../ground/errors/service-error.ts'
import type { SecretChange, SecretReload } from '../../ground/model/secret-reload.ts'
import type { SecretUser } from '../../plan/instance.ts'
import {
  changedSettings,
  type LiveSettings,
  nameOfSetting,
  type ReadSettings,
  type SettingPlace,
  type Settings,
  settingAt,
} from '../../settings/index.ts'

/** The dependencies of `createSecretReload`. */
export interface SecretReloadDeps {
  /** As they were read for the start. */
  readonly first: Settings
  readonly live: LiveSettings
  /** Reads the settings as the start did. */
  readonly reread: () => Promise<ReadSettings>
  readonly log: (line: string) => void
}

/** Secrets that are read again while the process runs. */
export interface SecretReloading {
  /** Adds who must be asked or told of another value: most read it of the live settings whenever they need it. */
  readonly use: (user: SecretUser) => void
  /** Reads the settings again, hands on the secrets that changed, and says what became of each. One at a time. */
  readonly reload: () => Promise<SecretReload>
}

export function createSecretReload({ first, live, reread, log }: SecretReloadDeps): SecretReloading {
  const users: SecretUser[] = []
  let last: Promise<unknown> = Promise.resolve()
  const read = async (): Promise<SecretReload> => {
    const { settings: next, problems } = await reread()
    if (problems.length > 0) {
      const lines = problems.map(({ name, allowed }) => `${name} is wrong; allowed: ${allowed}`)
      return { secrets: [], problems: lines, others: [] }
    }
    return {
      secrets: await takeAll(changedSettings(live.settings, next).secrets, next, { live, users, log }),
      problems: [],
      others: changedSettings(first, next).others.map(nameOfSetting),
    }
  }
  return {
    use: (user) => void users.push(user),
    reload() {
      const reloaded = last.then(read)
      last = reloaded.catch(() => undefined)
      return reloaded
    },
  }
}

type Taking = Pick<SecretReloadDeps, 'live' | 'log'> & { readonly users: readonly SecretUser[] }

/** Takes what every user accepts: one secret that is refused does not hold the others up. */
async function takeAll(
  changed: readonly SettingPlace[],
  next: Settings,
  { live, users, log }: Taking,
): Promise<readonly SecretChange[]> {
  const names = new Set(changed.map(nameOfSetting))
  const concerned = users.filter(({ secrets }) => secrets.some((name) => names.has(name)))
  const refused = new Map<string, Pick<SecretChange, 'outcome' | 'problem'>>()
  for (const { secrets, check } of concerned) {
    const refusal = await refusalOf(check, next)
    if (refusal !== null) for (const name of secrets) refused.set(name, refusal)
  }
  const taken = changed.filter((place) => !refused.has(nameOfSetting(place)))
  // All at once: a key's name and its secret are read together.
  for (const place of taken) live.take(place, settingAt(next, place))
  const takenNames = new Set(taken.map(nameOfSetting))
  for (const user of concerned)
    if (user.secrets.some((name) => takenNames.has(name)))
      await Promise.resolve(user.taken?.()).catch((error: unknown) =>
        log(`secrets: ${user.secrets.join(', ')}: a new value is not in use yet: ${messageOf(error)}`),
      )
  return changed.map((place) => {
    const name = nameOfSetting(place)
    return { name, ...(refused.get(name) ?? { outcome: 'taken', problem: null }) }
  })
}

async function refusalOf(
  check: SecretUser['check'],
  next: Settings,
): Promise<Pick<SecretChange, 'outcome' | 'problem'> | null> {
  try {
    await check?.(next)
    return null
  } catch (error) {
    const needsStart = error instanceof ServiceError && error.code === 'CLEW_SECRET_NEEDS_START'
    return { outcome: needsStart ? 'needs a start' : 'refused', problem: messageOf(error) }
  }
}
