import { messageOf } from '../../ground/errors/message.ts'
import type { SecretReload } from '../../ground/model/secret-reload.ts'
import type { Settings } from '../../settings/index.ts'
import { watchSecretFiles } from './watch.ts'

/** The dependencies of `followSecrets`. */
export interface SecretFollowDeps {
  /** The files that secrets were read from. */
  readonly files: readonly string[]
  readonly settings: Settings
  /** Has all processes of the instance read the secrets again; `by` is for the audit log. */
  readonly reload: (by: string) => Promise<SecretReload>
  readonly log: (line: string) => void
}

/** Secrets that are read again when a file of theirs changes, or a signal asks. */
export interface FollowedSecrets {
  /** Reads them now, and logs what became of them. Never rejects. */
  readonly readNow: (by: string) => Promise<void>
  readonly close: () => Promise<void>
}

export function followSecrets({ files, settings, reload, log }: SecretFollowDeps): FollowedSecrets {
  let said: readonly string[] = []
  /** What is tried again and again is said once. */
  const tell = (lines: readonly string[]): void => {
    for (const line of lines) if (!said.includes(line)) log(`secrets: ${line}`)
    said = lines
  }
  /** @returns whether something was refused */
  const read = async (by: string): Promise<boolean> => {
    try {
      const { secrets, problems } = await reload(by)
      const refused = secrets.filter(({ outcome }) => outcome !== 'taken')
      tell([
        ...problems.map((problem) => `all stay as they are: ${problem}`),
        ...refused.map(({ name, outcome, problem }) =>
          outcome === 'refused' ? `${name} stays as it is: ${problem}` : `${name} changed: ${problem}`,
        ),
      ])
      return problems.length > 0 || secrets.some(({ outcome }) => outcome === 'refused')
    } catch (error) {
      tell([`they could not be read again: ${messageOf(error)}`])
      return true
    }
  }
  const everyMs = settings.instance.secretCheckSeconds * 1000
  const watch = watchSecretFiles({ files, everyMs, changed: () => read('a file that changed') })
  return {
    async readNow(by) {
      await read(by)
    },
    close: watch.close,
  }
}
