import type { Analytics, AnalyticsServiceDeps } from '../services/analytics/index.ts'
import type { Auth } from '../services/auth/index.ts'
import type { Inbox } from '../services/inbox/index.ts'
import type { Issues } from '../services/issues/index.ts'
import type { ThreadDeps } from '../services/thread/index.ts'

/** Who knows something of people. */
export interface PeopleSources {
  readonly analytics: Analytics
  readonly auth: Auth
  readonly issues: Pick<Issues, 'ofPerson' | 'ofSession'>
  readonly inbox: Pick<Inbox, 'to'>
}

/** What is known of people: for the thread all of it, for pages of people the users of the application. */
export type JoinedPeople = Pick<ThreadDeps, 'people' | 'errors' | 'mails' | 'events'> & {
  readonly users: ThreadDeps['users'] & AnalyticsServiceDeps['users']
}

/** Joins persons of the analytics, users of the auth service, the errors that they met and the mails to them. */
export const joinPeople = ({ analytics, auth, issues, inbox }: PeopleSources): JoinedPeople => ({
  people: {
    byDistinctId: analytics.personsByDistinctId,
    byUserId: analytics.personsByUserId,
    idsOf: analytics.people.idsOf,
    distinctIdsMatching: analytics.distinctIdsMatching,
    linkUser: ({ distinctId, userId, at }) =>
      analytics.linkUser({
        ...{ distinctId, userId, at },
        profile: async () => (await auth.users([userId])).get(userId) ?? {},
      }),
  },
  users: { byId: auth.users, account: auth.userAccount, idsMatching: auth.userIdsMatching },
  events: { ...analytics.events, ofPerson: analytics.eventPages.ofIds },
  errors: { ofPerson: issues.ofPerson, ofSession: issues.ofSession },
  mails: { to: inbox.to },
})
