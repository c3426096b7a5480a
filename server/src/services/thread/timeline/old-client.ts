import type { SessionEvent } from '../../../ground/model/session-event.ts'
import type { SessionRequest } from './places.ts'

/**
 * The first posthog-js that reads the option `tracing_headers`; those before ignore it.
 *
 * @see https://github.com/PostHog/posthog-js/pull/3715
 */
const leastClientVersion = '1.380.0'

/**
 * The version of the posthog-js that captured a session, where it is too old to tag the session's requests and none is
 * tagged; null otherwise. Some older versions tag them by a name of the option that was not public.
 */
export function findOldClient(
  events: readonly SessionEvent[],
  requests: readonly Pick<SessionRequest, 'link'>[],
): string | null {
  if (requests.some(({ link }) => link?.channel === 'header')) return null
  for (const { properties } of events) {
    const { $lib, $lib_version: version } = properties
    if ($lib !== 'web' || typeof version !== 'string') continue
    return isOlder(version, leastClientVersion) ? version : null
  }
  return null
}

function isOlder(version: string, least: string): boolean {
  if (!/^\d{1,6}(\.\d{1,6}){2}$/.test(version)) return false
  const wanted = least.split('.').map(Number)
  for (const [index, part] of version.split('.').map(Number).entries()) {
    const difference = part - (wanted[index] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
