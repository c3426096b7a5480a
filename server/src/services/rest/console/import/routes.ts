import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../../ground/model/operator-actions.ts'
import type { RequestContext } from '../../../../ground/model/request.ts'
import { dataError } from '../../errors.ts'
import { ImportOutcome, TableParams } from '../schemas.ts'
import type { Tables } from '../table-catalogue.ts'
import { type ImportDeps, importRows } from './import-rows.ts'
import { readImportedRows } from './lines.ts'

interface ImportRoutesDeps extends ImportDeps {
  readonly tables: Tables
  readonly actions: OperatorActions
  readonly mostBytes: number
}

/** What ends a recorded import that kept nothing. */
class NotImported extends Error {
  readonly outcome: ImportOutcome

  constructor(outcome: ImportOutcome) {
    super('refused')
    this.outcome = outcome
  }
}

const ImportQuery = Type.Object({
  column: Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: 1600 })], {
    description: 'The columns of the values, in their order',
  }),
  trial: Type.Boolean({ default: false, description: 'Whether the rows are only tried, and nothing is kept' }),
})

/** Imports of rows from files, by owners and developers. */
export function importRoutes({ tables, actions, mostBytes, ...deps }: ImportRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    // Read row by row, as fast as they are inserted.
    app.addContentTypeParser('application/x-ndjson', (_request, body, done) => done(null, body))

    const ofImport = {
      ...{
        operationId: 'importRows',
        tags: ['data'],
        summary: 'Insert rows of a file, all in one transaction or none',
      },
      description: 'The body has a row a line: `[line, value, …]` in JSON, values in PostgreSQL’s text form or null.',
      consumes: ['application/x-ndjson'],
      ...{ params: TableParams, querystring: ImportQuery, response: { 200: ImportOutcome } },
    }
    app.post('/data/:schema/:table/import', { schema: ofImport }, async (request) => {
      const { schema, table: name } = request.params
      const { column, trial: isTrial } = request.query
      const { body } = request
      actions.check(request, 'change')
      if (!(body instanceof Readable)) throw dataError('CLEW_DATA_IMPORT_INVALID')
      const columns = [column].flat()
      const { id: causeId } = request.getDecorator<RequestContext>('requestContext')
      const run = async () => {
        const table = await tables.get(schema, name)
        const rows = readImportedRows(body, columns.length, mostBytes)
        return importRows(deps, { table, columns, rows, isTrial, causeId })
      }
      try {
        if (isTrial) return await run()
        return await actions.run(request, { name: 'rows.import', target: `${schema}.${name}` }, async () => {
          const outcome = await run()
          if (outcome.kind !== 'imported') throw new NotImported(outcome)
          return outcome
        })
      } catch (error) {
        if (error instanceof NotImported) return error.outcome
        throw error
      } finally {
        // What was not read is let go: the connection waits for the end of the body.
        body.resume()
      }
    })
  }
}
