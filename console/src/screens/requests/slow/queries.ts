import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import { live } from '../../../lib/live/topics.ts'
import { lasts } from '../search.ts'
import type { SlowSearch } from './search.ts'

/** The statements that took most; looked at again while requests come, but seldom: all of a time are counted. */
export const slowStatementsQuery = ({ last = '24h', order = 'total' }: SlowSearch) =>
  queryOptions({
    queryKey: ['slow-statements', last, order],
    queryFn: ({ signal }) =>
      api.slowStatements({ order, from: new Date(Date.now() - lasts[last].ms).toISOString(), limit: 100 }, { signal }),
    meta: live('requests', 10_000),
    placeholderData: keepPreviousData,
  })
