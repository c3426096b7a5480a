import { isLoopbackName, matchesPolicyOrigin } from '../../ground/http/origins.ts'

/** Whether a page may use keys that everybody knows: the text of a request's `Origin` header. */
export type PageCheck = (origin: string) => boolean

/**
 * Lets pages of this machine and of the team's own addresses use the keys of local mode, and no other page that a
 * developer happens to visit: it could read and write the whole database with them.
 *
 * @param known origins as a content policy names them
 */
export function createPageCheck(known: readonly string[]): PageCheck {
  return (origin) =>
    URL.canParse(origin) &&
    (isLoopbackName(new URL(origin).hostname) || known.some((pattern) => matchesPolicyOrigin(origin, pattern)))
}
