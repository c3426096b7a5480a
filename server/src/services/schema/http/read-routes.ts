import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { Statement } from '../../../ground/sql/postgres.ts'
import { DiagramTable, selectDiagram } from '../catalogue/diagram.ts'
import { SchemaDomain, selectDomains } from '../catalogue/domains.ts'
import { IndexBuild, selectIndexBuilds } from '../catalogue/index-builds.ts'
import {
  FunctionSource,
  SchemaEnum,
  SchemaExtension,
  SchemaFunction,
  SchemaPublication,
  SchemaRole,
  selectEnums,
  selectExtensions,
  selectFunction,
  selectFunctions,
  selectPublications,
  selectRoles,
} from '../catalogue/objects.ts'
import { SchemaTable, selectTable } from '../catalogue/table.ts'
import { SchemaRelation, selectRelations, selectSchemas } from '../catalogue/tables.ts'
import { schemaError } from '../errors.ts'

export interface ReadRoutesDeps {
  /** Reads the catalogues: names are looked for in `pg_catalog`. */
  readonly catalogues: Pick<Sql, 'query'>
  /** Reads as the application's owner. */
  readonly reader: Pick<Sql, 'query'>
  /** The application's owner. */
  readonly ownerRole: string
  readonly actions: OperatorActions
}

const tags = ['schema']
const Name = Type.String({ minLength: 1, maxLength: 63 })

type App = Parameters<FastifyPluginAsyncTypebox>[0]

/** The schema as PostgreSQL's catalogues have it, for owners and developers. */
export function readRoutes(deps: ReadRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    tableRoutes(app, deps)
    buildRoutes(app, deps)
    objectRoutes(app, deps)
  }
}

function tableRoutes(app: App, { catalogues, ownerRole, actions }: ReadRoutesDeps): void {
  const list = {
    operationId: 'schemaTables',
    tags,
    summary: 'Tables and views of all schemas, with what is defined on each in numbers',
    response: { 200: Type.Object({ schemas: Type.Array(Type.String()), tables: Type.Array(SchemaRelation) }) },
  }
  app.get('/schema/tables', { schema: list }, async (request) => {
    actions.check(request, 'read data')
    const schemas = await catalogues.query<{ name: string }>(selectSchemas())
    const tables = await catalogues.query<SchemaRelation>(selectRelations(ownerRole))
    return { schemas: schemas.rows.map(({ name }) => name), tables: [...tables.rows] }
  })

  const one = {
    operationId: 'schemaTable',
    tags,
    summary: 'One table or view with its columns, constraints, indexes, triggers and policies',
    params: Type.Object({ schema: Name, table: Name }),
    response: { 200: SchemaTable },
  }
  app.get('/schema/tables/:schema/:table', { schema: one }, async (request) => {
    actions.check(request, 'read data')
    const { schema, table } = request.params
    return first(await catalogues.query<SchemaTable>(selectTable(ownerRole, schema, table)))
  })

  const diagram = {
    operationId: 'schemaDiagram',
    tags,
    summary: 'The tables of one schema with their columns and foreign keys',
    querystring: Type.Object({ schema: Name }),
    response: { 200: Type.Object({ tables: Type.Array(DiagramTable) }) },
  }
  app.get('/schema/diagram', { schema: diagram }, async (request) => {
    actions.check(request, 'read data')
    return { tables: [...(await catalogues.query<DiagramTable>(selectDiagram(request.query.schema))).rows] }
  })
}

/** Indexes that are being built: PostgreSQL tells the progress of a role's statements to that role. */
function buildRoutes(app: App, { reader, actions }: ReadRoutesDeps): void {
  const builds = {
    operationId: 'schemaIndexBuilds',
    tags,
    summary: 'The indexes that are being built on a table, and how far each is',
    params: Type.Object({ schema: Name, table: Name }),
    response: { 200: Type.Object({ builds: Type.Array(IndexBuild) }) },
  }
  app.get('/schema/tables/:schema/:table/builds', { schema: builds }, async (request) => {
    actions.check(request, 'read data')
    const { schema, table } = request.params
    return { builds: [...(await reader.query<IndexBuild>(selectIndexBuilds(schema, table))).rows] }
  })
}

function objectRoutes(app: App, { catalogues, ownerRole, actions }: ReadRoutesDeps): void {
  const rowsOf = async <Row>(statement: Statement): Promise<Row[]> => [...(await catalogues.query<Row>(statement)).rows]

  const functions = {
    operationId: 'schemaFunctions',
    tags,
    summary: 'Functions and procedures, without those of extensions',
    response: { 200: Type.Object({ functions: Type.Array(SchemaFunction) }) },
  }
  app.get('/schema/functions', { schema: functions }, async (request) => {
    actions.check(request, 'read data')
    return { functions: await rowsOf<SchemaFunction>(selectFunctions(ownerRole)) }
  })

  const source = {
    operationId: 'schemaFunction',
    tags,
    summary: 'One function with its source',
    params: Type.Object({ id: Type.String({ pattern: '^[0-9]{1,10}$' }) }),
    response: { 200: FunctionSource },
  }
  app.get('/schema/functions/:id', { schema: source }, async (request) => {
    actions.check(request, 'read data')
    return first(await catalogues.query<FunctionSource>(selectFunction(ownerRole, request.params.id)))
  })

  const objects = {
    operationId: 'schemaObjects',
    tags,
    summary: 'Enums, domains, extensions, roles and publications',
    response: {
      200: Type.Object({
        enums: Type.Array(SchemaEnum),
        domains: Type.Array(SchemaDomain),
        extensions: Type.Array(SchemaExtension),
        roles: Type.Array(SchemaRole),
        publications: Type.Array(SchemaPublication),
      }),
    },
  }
  app.get('/schema/objects', { schema: objects }, async (request) => {
    actions.check(request, 'read data')
    return {
      enums: await rowsOf<SchemaEnum>(selectEnums(ownerRole)),
      domains: await rowsOf<SchemaDomain>(selectDomains(ownerRole)),
      extensions: await rowsOf<SchemaExtension>(selectExtensions()),
      roles: await rowsOf<SchemaRole>(selectRoles()),
      publications: await rowsOf<SchemaPublication>(selectPublications(ownerRole)),
    }
  })
}

/** @throws CLEW_SCHEMA_NOT_FOUND */
function first<Row>({ rows: [row] }: { readonly rows: readonly Row[] }): Row {
  if (row === undefined) throw schemaError('CLEW_SCHEMA_NOT_FOUND')
  return row
}
