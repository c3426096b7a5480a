import { queryOptions } from '@tanstack/react-query'
import { api } from '../lib/api/api.ts'
import type { Hold } from '../lib/api/schemas.ts'
import { live } from '../lib/live/topics.ts'

/** What is kept longer: by the rule for errors, and by holds, those that are open first. */
export const keptLongerQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: ({ signal }) => api.keptLonger({ signal }),
  meta: live('console'),
})

/** What a hold keeps. */
export type HoldSubject = Hold['subject']

/** The open holds that were placed on a session or a person. */
export const holdsOn = (holds: readonly Hold[], { kind, id }: Extract<HoldSubject, { id: string }>): readonly Hold[] =>
  holds.filter(({ isOpen, subject }) => isOpen && subject.kind === kind && subject.id === id)
