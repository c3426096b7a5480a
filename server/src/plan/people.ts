import type { Analytics } from '../services/analytics/index.ts'
import type { Auth } from '../services/auth/index.ts'
import type { ThreadDeps } from '../services/thread/index.ts'

/** Who people are, for the thread: persons of the analytics and users of the auth service. */
export const joinPeople = (analytics: Analytics, auth: Auth): Pick<ThreadDeps, 'people' | 'users'> => ({
  people: {
    byDistinctId: analytics.personsByDistinctId,
    byUserId: analytics.personsByUserId,
    distinctIdsMatching: analytics.distinctIdsMatching,
    linkUser: async ({ distinctId, userId, at }) => {
      const email = (await auth.users([userId])).get(userId)?.email ?? null
      await analytics.linkUser({ distinctId, userId, at, email })
    },
  },
  users: { byId: auth.users, idsMatching: auth.userIdsMatching },
})
