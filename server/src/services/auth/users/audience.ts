import type { RequestWork } from '../../../ground/model/request.ts'
import type { AuthSettings } from '../settings.ts'
import type { UserRow } from '../store/users.ts'

/**
 * Whom a request is about (auth §1): the header `X-JWT-AUD`, else the `aud` of the caller's token unless an
 * administrator calls, else the project's default.
 */
export function audienceOf(work: RequestWork, settings: Pick<AuthSettings, 'jwtAudience' | 'jwtAdminRoles'>): string {
  const header = work.headers['x-jwt-aud']
  if (typeof header === 'string' && header !== '') return header.slice(0, maxLength)
  if (work.identity.kind === 'caller') {
    const { aud, role } = work.identity.caller.claims
    const isAdmin = typeof role === 'string' && settings.jwtAdminRoles.includes(role)
    if (!isAdmin && typeof aud === 'string' && aud !== '') return aud
  }
  return settings.jwtAudience
}

/** Whether a user belongs to an audience; one that SQL wrote without any belongs to the project's default. */
export const isOfAudience = (user: UserRow, audience: string, settings: Pick<AuthSettings, 'jwtAudience'>): boolean =>
  (user.aud || settings.jwtAudience) === audience

const maxLength = 255
