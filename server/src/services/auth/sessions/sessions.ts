import type { AuthResponse, Call, RequestContext } from '../model/call.ts'
import type { AuthenticationMethod, SessionRow } from '../model/session.ts'
import type { UserRow } from '../model/user.ts'
import type { RequestSql } from '../store/database.ts'

/** The user who calls, as the database knows them now. */
export interface AuthCaller {
  readonly user: UserRow
  /** Null for a token that names no session. */
  readonly session: SessionRow | null
}

/** A user with a session, who is not anonymous: who may have factors and passkeys. */
export interface Member {
  readonly user: UserRow
  readonly session: SessionRow
}

/** A caller with an administrator's role. */
export interface Administrator {
  readonly role: string
}

/** A session's tokens, as text and as an answer. */
export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresInSeconds: number
  readonly expiresAtSeconds: number
  readonly reply: AuthResponse
}

/** The options of a new session. */
export interface SessionOptions {
  /** When it ends whatever happens, as an identity provider may demand. */
  readonly notAfter?: Date | null
  /** The client of the OAuth server it is for. */
  readonly oauthClient?: { readonly id: string; readonly scopes: string }
}

/** A session as its tokens show it. */
export interface TokenSession {
  readonly session: SessionRow
  /** How its user proved who they are, in any order. */
  readonly methods: readonly AuthenticationMethod[]
  readonly refreshToken: string
  /** The reason of this token: a method, or `token_refresh`. */
  readonly authenticationMethod: string
}

/** Sessions and the tokens that carry them: what other features ask of this one. */
export interface Sessions {
  /** Begins a session for a user who has just proved their identity, in the caller's transaction. */
  issueSession(sql: RequestSql, user: UserRow, method: string, options?: SessionOptions): Promise<IssuedTokens>
  /** Issues tokens of a session that exists, in the caller's transaction. */
  issueTokens(sql: RequestSql, user: UserRow, session: TokenSession): Promise<IssuedTokens>
  /** @throws no_authorization, bad_jwt, user_not_found, session_not_found, user_banned */
  findCaller(context: RequestContext): Promise<AuthCaller>
  /** @throws what `findCaller` throws, and no_authorization (403) for a client of the OAuth server */
  findOwner(context: RequestContext): Promise<AuthCaller>
  /** @throws what `findOwner` throws, and no_authorization (403) for anonymous users */
  findMember(context: RequestContext): Promise<Member>
  /** @throws no_authorization, bad_jwt, not_admin, session_expired/403, and what `findCaller` throws */
  checkAdmin(context: RequestContext): Promise<Administrator>
  /** @param oauthClientId the client of the OAuth server that refreshes; null at `/token` */
  refreshSession(call: Call, oauthClientId?: string | null): Promise<AuthResponse>
}

/** A session's tokens as a redirect's fragment has them. */
export const tokenFields = (issued: IssuedTokens): Readonly<Record<string, string>> => ({
  access_token: issued.accessToken,
  expires_at: String(issued.expiresAtSeconds),
  expires_in: String(issued.expiresInSeconds),
  refresh_token: issued.refreshToken,
  token_type: 'bearer',
})
