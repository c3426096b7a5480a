import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'

/** One survey with its questions. */
export const surveyQuery = (id: string) =>
  queryOptions({ queryKey: ['survey', id], queryFn: ({ signal }) => api.survey(id, { signal }) })

/** What people answered. */
export const surveyResultsQuery = (id: string) =>
  queryOptions({ queryKey: ['survey-results', id], queryFn: ({ signal }) => api.surveyResults(id, { signal }) })
