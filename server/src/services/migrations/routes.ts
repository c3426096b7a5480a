import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Instant, Nullable } from '../../ground/http/schemas.ts'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { migrationsError } from './errors.ts'

/** A migration of the project folder, of the database's history, or of both. */
export interface MigrationFacts {
  readonly version: string
  readonly state: 'applied' | 'changed' | 'missing' | 'pending' | 'failed' | 'late'
  readonly local: { readonly path: string; readonly name: string; readonly text: string } | null
  readonly applied: { readonly name: string; readonly statements: readonly string[] | null } | null
  /** The last attempt, where it failed. */
  readonly failure: {
    readonly path: string
    readonly place: string | null
    readonly statement: string | null
    readonly reason: string
    readonly failedAt: Date
  } | null
}

/** Where the migrations are, and how their state is read. */
export interface MigrationsDeps {
  /** The project folder; null where there is none. */
  readonly folder: string | null
  /** By version, the oldest first. */
  readonly read: () => Promise<readonly MigrationFacts[]>
}

const tags = ['migrations']

const State = Type.Union(
  [
    Type.Literal('applied'),
    Type.Literal('changed'),
    Type.Literal('missing'),
    Type.Literal('pending'),
    Type.Literal('failed'),
    Type.Literal('late'),
  ],
  {
    description:
      'changed: applied, and the file has other statements now; missing: applied, without a file; failed: not applied, the ' +
      'last attempt failed; late: not applied, and a newer one was',
  },
)

const Migration = Type.Object(
  { version: Type.String(), name: Type.String(), state: State, path: Nullable(Type.String()) },
  { $id: 'Migration' },
)

const Failure = Type.Object(
  {
    path: Type.String({ description: 'The file, as it was named then' }),
    place: Nullable(Type.String(), { description: 'Line and column in the file, 12:8' }),
    statement: Nullable(Type.String(), { description: 'Its first 16,384 characters' }),
    reason: Type.String({ description: 'PostgreSQL’s message' }),
    at: Instant,
  },
  { $id: 'MigrationFailure', description: 'The last attempt, where it failed' },
)

const failureOf = ({ failure }: MigrationFacts) => {
  if (failure === null) return null
  const { failedAt, ...rest } = failure
  return { ...rest, at: failedAt.toISOString() }
}

const migrationOf = ({ version, state, local, applied }: MigrationFacts) => ({
  version,
  state,
  name: local?.name ?? applied?.name ?? '',
  path: local?.path ?? null,
})

/** The project's migrations in the console: analysts see the list, owners and developers the SQL. */
export function migrationRoutes({ folder, read }: MigrationsDeps, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    const list = {
      operationId: 'migrations',
      tags,
      summary: 'Migrations of the project folder and of the database, the newest first',
      response: {
        200: Type.Object({
          folder: Nullable(Type.String(), { description: 'Null: started without a project folder' }),
          migrations: Type.Array(Migration),
        }),
      },
    }
    app.get('/migrations', { schema: list }, async (request) => {
      actions.check(request, 'look')
      return { folder, migrations: (await read()).map(migrationOf).reverse() }
    })

    const one = {
      operationId: 'migration',
      tags,
      summary: 'One migration with its file, and the statements that ran',
      params: Type.Object({ version: Type.String({ minLength: 1, maxLength: 200 }) }),
      response: {
        200: Type.Object({
          migration: Migration,
          fileText: Nullable(Type.String()),
          appliedText: Nullable(Type.String(), { description: 'Null: not applied, or a history without statements' }),
          failure: Nullable(Failure),
        }),
      },
    }
    app.get('/migrations/:version', { schema: one }, async (request) => {
      actions.check(request, 'read data')
      const found = (await read()).find(({ version }) => version === request.params.version)
      if (found === undefined) throw migrationsError('CLEW_MIGRATIONS_NOT_FOUND')
      return {
        migration: migrationOf(found),
        fileText: found.local?.text ?? null,
        appliedText: found.applied?.statements?.map((statement) => `${statement};`).join('\n\n') ?? null,
        failure: failureOf(found),
      }
    })
  }
}
