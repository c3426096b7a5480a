import { checkAdmin, findCaller, findMember, findOwner } from './caller.ts'
import type { SessionsDeps } from './deps.ts'
import { issueSession, issueTokens } from './issue-session.ts'
import { refreshSession } from './refresh.ts'
import type { Sessions } from './sessions.ts'
import { createSingleFlight } from './single-flight.ts'

/** Binds the functions of sessions to what they need. */
export function createSessions(sessionDeps: Omit<SessionsDeps, 'singleRefresh'>): Sessions {
  const deps: SessionsDeps = { ...sessionDeps, singleRefresh: createSingleFlight() }
  return {
    issueSession: (sql, user, method, options) => issueSession(deps, sql, user, method, options),
    issueTokens: (sql, user, session) => issueTokens(deps, sql, user, session),
    findCaller: (context) => findCaller(deps, context),
    findOwner: (context) => findOwner(deps, context),
    findMember: (context) => findMember(deps, context),
    checkAdmin: (context) => checkAdmin(deps, context),
    refreshSession: (call, oauthClientId) => refreshSession(deps, call, oauthClientId),
  }
}
