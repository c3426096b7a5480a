import type { components } from './api.gen.ts'
import { bodyOf, type Cancel, cancel, client } from './client.ts'

/** The requests of the schema screens. */
export const schemaApi = {
  schemaTables: (options?: Cancel) => bodyOf(client.GET('/console/api/schema/tables', cancel(options))),
  schemaTable: (schema: string, table: string, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/schema/tables/{schema}/{table}', {
        params: { path: { schema, table } },
        ...cancel(options),
      }),
    ),
  schemaIndexBuilds: async (schema: string, table: string, options?: Cancel) =>
    (
      await bodyOf(
        client.GET('/console/api/schema/tables/{schema}/{table}/builds', {
          params: { path: { schema, table } },
          ...cancel(options),
        }),
      )
    ).builds,
  schemaFunctions: async (options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/schema/functions', cancel(options)))).functions,
  schemaFunction: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/schema/functions/{id}', { params: { path: { id } }, ...cancel(options) })),
  schemaObjects: (options?: Cancel) => bodyOf(client.GET('/console/api/schema/objects', cancel(options))),
  schemaDiagram: async (schema: string, options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/schema/diagram', { params: { query: { schema } }, ...cancel(options) })))
      .tables,
  planSchemaChanges: (changes: readonly SchemaChange[], options?: Cancel) =>
    bodyOf(client.POST('/console/api/schema/plan', { body: { changes: [...changes] }, ...cancel(options) })),
  applySchemaChanges: (changes: readonly SchemaChange[], name: string | null) =>
    bodyOf(client.POST('/console/api/schema/changes', { body: { changes: [...changes], name } })),
}

type Schemas = components['schemas']

/** A table or view, as the list of the schema has it. */
export type SchemaRelation = Schemas['SchemaRelation']

/** A table or view with everything that is defined on it. */
export type SchemaTable = Awaited<ReturnType<typeof schemaApi.schemaTable>>

/** A column as it is defined. */
export type SchemaColumn = Schemas['SchemaColumn']

/** A policy of row security, as it is defined. */
export type SchemaPolicy = Schemas['SchemaPolicy']

/** An index as it is defined. */
export type SchemaIndex = Schemas['SchemaIndex']

/** A trigger as it is defined. */
export type SchemaTrigger = Schemas['SchemaTrigger']

/** A constraint as it is defined. */
export type SchemaConstraint = Schemas['SchemaConstraint']

/** A function of the database, without its source. */
export type SchemaFunction = Schemas['SchemaFunction']

/** Enums, domains, extensions, roles and publications. */
export type SchemaObjects = Awaited<ReturnType<typeof schemaApi.schemaObjects>>

/** A table as the diagram draws it. */
export type DiagramTable = Schemas['DiagramTable']

/** A change of the schema. */
export type SchemaChange = Schemas['SchemaChange']

/** A column that is to be made. */
export type NewColumn = Extract<SchemaChange, { readonly kind: 'add column' }>['column']

/** What changes of the schema would be, and what they would do beside. */
export type SchemaPlan = Awaited<ReturnType<typeof schemaApi.planSchemaChanges>>
