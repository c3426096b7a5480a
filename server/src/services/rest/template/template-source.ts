import { ServiceError } from '../../../ground/errors/service-error.ts'
import type { SchemaCacheLoader } from '../cache/schema-cache-loader.ts'
import type { ConfigurationSource } from '../configuration.ts'
import type { Bindings } from '../parse/query/template-parameter.ts'
import { parseRequest, type RawRequest } from '../parse/request.ts'
import type { Timing } from '../timing.ts'
import { type BoundTemplate, createStatementTemplate } from './statement-template.ts'

export interface TemplateSourceDeps {
  readonly configuration: ConfigurationSource
  readonly schema: Pick<SchemaCacheLoader, 'loaded' | 'current' | 'fresh'>
  readonly jsonDepth: number
}

/** The statement templates of requests, under the settings and the schema of the moment. */
export interface TemplateSource {
  /** The template shared with similar requests; null where there is none, or where the request is not valid. */
  findShared(raw: RawRequest): BoundTemplate | null
  /** The template of this request alone. @throws what parsing and planning refuse, quoting the request's own words */
  create(raw: RawRequest, timing: Timing | null): Promise<BoundTemplate>
}

const noBindings: Bindings = { values: [], body: '' }

const unknownNameCodes = ['PGRST200', 'PGRST202', 'PGRST204', 'PGRST205']

const namesUnknown = (error: unknown): boolean => error instanceof ServiceError && unknownNameCodes.includes(error.code)

export function createTemplateSource({ configuration, schema, jsonDepth }: TemplateSourceDeps): TemplateSource {
  return {
    findShared(raw) {
      const cache = schema.loaded()
      if (cache === null) return null
      try {
        return configuration.current().templates.find(cache, raw)
      } catch (error) {
        if (error instanceof ServiceError) return null
        throw error
      }
    },
    async create(raw, timing) {
      const { settings } = configuration.current()
      const request = parseRequest(raw, settings, jsonDepth)
      timing?.lap('parse')
      const cache = await schema.current()
      try {
        return { template: createStatementTemplate(cache, settings, request), bindings: noBindings }
      } catch (error) {
        if (!namesUnknown(error)) throw error
        // It may have been created a moment ago: a name is refused only by a cache that is younger than the request.
        return { template: createStatementTemplate(await schema.fresh(), settings, request), bindings: noBindings }
      } finally {
        timing?.lap('plan')
      }
    },
  }
}
