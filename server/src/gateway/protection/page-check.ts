import { isLoopbackName, matchesPolicyOrigin } from '../../ground/http/origins.ts'

/** Whether a page may use public keys, by the text of the `Origin` header. */
export type PageCheck = (origin: string) => boolean

/**
 * Allows pages of this machine and of the team's own addresses. Any other page that a developer visits could read and write
 * the whole database with local mode's public keys.
 *
 * @param known origins in the notation of a content policy
 */
export function createPageCheck(known: readonly string[]): PageCheck {
  return (origin) =>
    URL.canParse(origin) &&
    (isLoopbackName(new URL(origin).hostname) || known.some((pattern) => matchesPolicyOrigin(origin, pattern)))
}
