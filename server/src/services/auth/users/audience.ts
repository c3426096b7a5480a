import type { RequestContext } from '../model/call.ts'
import type { UserRow } from '../model/user.ts'

/**
 * The audience of a request (auth §1): the header `X-JWT-AUD`, else the `aud` of the caller's token unless an
 * administrator calls, else the project's default.
 */
export function audienceOf(
  context: RequestContext,
  settings: { readonly jwtAudience: string; readonly jwtAdminRoles: readonly string[] },
): string {
  const header = context.headers['x-jwt-aud']
  if (typeof header === 'string' && header !== '') return header.slice(0, maxLength)
  if (context.identity.kind === 'caller') {
    const { aud, role } = context.identity.caller.claims
    const isAdmin = typeof role === 'string' && settings.jwtAdminRoles.includes(role)
    if (!isAdmin && typeof aud === 'string' && aud !== '') return aud
  }
  return settings.jwtAudience
}

/** Whether a user belongs to an audience; one that SQL wrote without any belongs to the project's default. */
export const isOfAudience = (user: UserRow, audience: string, settings: { readonly jwtAudience: string }): boolean =>
  (user.aud || settings.jwtAudience) === audience

const maxLength = 255
