import type { Analytics, AnalyticsServiceDeps } from '../services/analytics/index.ts'
import type { Auth } from '../services/auth/index.ts'
import type { ThreadDeps } from '../services/thread/index.ts'

/** Who people are: persons of the analytics for the thread, and users of the auth service for both. */
export const joinPeople = (
  analytics: Analytics,
  auth: Auth,
): Pick<ThreadDeps, 'people'> & { readonly users: ThreadDeps['users'] & AnalyticsServiceDeps['users'] } => ({
  people: {
    byDistinctId: analytics.personsByDistinctId,
    byUserId: analytics.personsByUserId,
    distinctIdsMatching: analytics.distinctIdsMatching,
    linkUser: async ({ distinctId, userId, at }) => {
      const { email = null, name = null } = (await auth.users([userId])).get(userId) ?? {}
      await analytics.linkUser({ distinctId, userId, at, email, name })
    },
  },
  users: { byId: auth.users, account: auth.userAccount, idsMatching: auth.userIdsMatching },
})
