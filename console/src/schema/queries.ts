import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../lib/api/api.ts'
import { tablesQuery } from '../lib/api/queries.ts'
import type { SchemaChange } from '../lib/api/schema.ts'
import { live } from '../lib/live/topics.ts'

/** All schemas, with their tables and views. */
export const relationsQuery = queryOptions({
  queryKey: ['schema', 'tables'],
  queryFn: ({ signal }) => api.schemaTables({ signal }),
  meta: live('console'),
})

/** One table or view with everything that is defined on it. */
export const relationQuery = (schema: string, table: string) =>
  queryOptions({
    queryKey: ['schema', 'table', schema, table],
    queryFn: ({ signal }) => api.schemaTable(schema, table, { signal }),
    meta: live('console'),
  })

/** Functions and procedures, without their source. */
export const functionsQuery = queryOptions({
  queryKey: ['schema', 'functions'],
  queryFn: ({ signal }) => api.schemaFunctions({ signal }),
  meta: live('console'),
})

/** One function with its source. */
export const functionQuery = (id: string) =>
  queryOptions({
    queryKey: ['schema', 'function', id],
    queryFn: ({ signal }) => api.schemaFunction(id, { signal }),
  })

/** Enums, domains, extensions, roles and publications. */
export const objectsQuery = queryOptions({
  queryKey: ['schema', 'objects'],
  queryFn: ({ signal }) => api.schemaObjects({ signal }),
  meta: live('console'),
})

const buildsEveryMs = 1000

/** The indexes that are being built on a table; asked again while it is shown. */
export const indexBuildsQuery = (schema: string, table: string) =>
  queryOptions({
    queryKey: ['schema', 'builds', schema, table],
    queryFn: ({ signal }) => api.schemaIndexBuilds(schema, table, { signal }),
    refetchInterval: buildsEveryMs,
    gcTime: 0,
  })

/** What changes would be. A text that is still being typed may be refused, which is no reason to ask again. */
export const planQuery = (changes: readonly SchemaChange[]) =>
  queryOptions({
    queryKey: ['schema-plan', changes],
    queryFn: ({ signal }) => api.planSchemaChanges(changes, { signal }),
    enabled: changes.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  })

/** Asks again for all that a change of the schema may have changed. */
export const refreshSchema = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['schema'] }),
    queryClient.invalidateQueries({ queryKey: tablesQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: ['migrations'] }),
  ])
