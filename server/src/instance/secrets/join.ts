import type { SecretChange, SecretReload } from '../../ground/model/secret-reload.ts'

const gravity: readonly SecretChange['outcome'][] = ['taken', 'needs a start', 'refused']

/** What the processes of an instance came to, as one: of a secret, what the process says that fared worst with it. */
export function joinReloads(reloads: readonly SecretReload[]): SecretReload {
  const secrets = new Map<string, SecretChange>()
  for (const change of reloads.flatMap((reload) => reload.secrets)) {
    const before = secrets.get(change.name)
    if (before === undefined || gravity.indexOf(change.outcome) > gravity.indexOf(before.outcome))
      secrets.set(change.name, change)
  }
  return {
    secrets: [...secrets.values()],
    problems: [...new Set(reloads.flatMap(({ problems }) => problems))],
    others: [...new Set(reloads.flatMap(({ others }) => others))],
  }
}
