import { withoutPassword } from '../engines/postgres/index.ts'
import type { InstanceFacts, Mount } from '../gateway/index.ts'
import type { ApiKeys } from '../ground/jwt/api-keys.ts'
import { renderSnippets } from '../ground/text/snippets.ts'
import type { Settings } from '../settings/index.ts'
import { version } from '../version.ts'
import type { Addresses } from './addresses.ts'

/** What the console shows of the instance it belongs to. */
export function planFacts(
  { instance, analytics, mail }: Settings,
  { apiUrl, inboxUrl }: Addresses,
  keys: { readonly api: ApiKeys; readonly ingestToken: string },
  dbUrl: string | null,
  mounts: readonly Mount[],
): InstanceFacts {
  // The password of a local embedded database is in the documentation; any other is a secret.
  const isPublic = !instance.production && instance.databaseUrl === null
  return {
    project: projectName(instance),
    mode: instance.production ? 'production' : 'local',
    version,
    apiUrl,
    inboxUrl,
    dbUrl: dbUrl === null || isPublic ? dbUrl : withoutPassword(dbUrl),
    exampleUrl: instance.public === null ? null : `${apiUrl}/`,
    get publishableKey() {
      return keys.api.publishableKey
    },
    anonKey: keys.api.anonKey,
    get ingestToken() {
      return keys.ingestToken
    },
    readiness: {
      sendsMail: mail.smtpUrl !== null || mail.smtpHost !== null,
      hasDomain: isDomain(apiUrl),
      ownKeys: instance.production,
      asksConsent: analytics.consent === 'required',
    },
    services: [...new Set(mounts.flatMap(({ service }) => service ?? []))],
    get snippets() {
      return renderSnippets({
        ...{ apiUrl, publishableKey: keys.api.publishableKey, ingestToken: keys.ingestToken },
        ingestPath: analytics.path,
      })
    },
  }
}

/** Whether an address is a name that browsers reach by HTTPS. */
function isDomain(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' && hostname.includes('.') && !/^[\d.]+$|^\[/.test(hostname)
}

/** The project's name as operators see it. */
export const projectName = (instance: Settings['instance']): string => instance.name ?? 'Clew'
